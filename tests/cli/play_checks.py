"""What `fracas play` serves, what it refuses, and how it ends. usage: play_checks.py PROGRAM"""

import json
import re
import socket
import struct
import subprocess
import sys
import time

from play_client import Page, Refused, Server

program = sys.argv[1]


def check_requests(server):
    """Host, Origin, token, method, headers."""
    status, body = server.get()
    assert status == 200 and b"connect-src 'self'" in body and b"connect-src 'none'" not in body
    assert b'"live":1' in body
    for header in ["Cache-Control: no-store", "X-Frame-Options: DENY", "X-Content-Type-Options: nosniff",
                   "Referrer-Policy: no-referrer"]:
        assert header in server.head, header
    assert "Access-Control-Allow-Origin" not in server.head
    assert server.get(method="HEAD") == (200, b"")
    assert server.get(Origin=server.origin)[0] == 200
    assert server.get(Host=f"localhost:{server.port}")[0] == 200
    refused = [
        (403, dict(Host="evil.example")), (403, dict(Host=f"evil.example:{server.port}")),
        (403, dict(Host="127.0.0.1")), (403, dict(Host=f"127.0.0.1:{server.port + 1}")), (403, dict(Host=None)),
        (403, dict(Origin="http://evil.example")), (403, dict(Origin="null")),
        (403, dict(Origin=server.origin + ".evil.example")), (403, dict(Origin="https://" + server.host)),
        (405, dict(method="POST")), (405, dict(method="OPTIONS")), (405, dict(method="DELETE")),
        (404, dict(path="/")), (404, dict(path="/socket")), (404, dict(path=server.path + "x")),
        (404, dict(path=server.path[:-1])), (404, dict(path="/" + "0" * 32 + "/")),
        (404, dict(path=server.path[:-2] + ("1" if server.path[-2] == "0" else "0") + "/")),
        (403, dict(path=server.path + "socket")),
        (426, dict(path=server.path + "socket", Origin=server.origin)),
    ]
    for wanted, words in refused:
        words = dict(words)
        status, body = server.get(words.pop("path", None), words.pop("method", "GET"), **words)
        assert status == wanted, (wanted, words, status, body)
        assert server.path[1:-1].encode() not in body, "an answer has the token"
    for words in [dict(origin="http://evil.example"), dict(host="evil.example"), dict(path="/socket"),
                  dict(path="/" + "0" * 32 + "/socket")]:
        try:
            Page(server, **words)
        except Refused as refusal:
            assert re.match(r"HTTP/1.1 (403|404)", str(refusal)), refusal
        else:
            raise AssertionError(f"a websocket with {words} was accepted")


MALFORMED = [
    ("", "not a JSON object"), ("[]", "'{' is missing"), ('{"do":"play"', "'}' is missing"),
    ('{"do":"play"} ', None), ('{"do":"play"}x', "goes on behind"), ("{}", "'\"' is missing"),
    ('{"x":1}', "no 'do'"), ('{"do":"fly"}', "no 'do' named 'fly'"), ('{"do":"play","do":"play"}', "'do' twice"),
    ('{"do":"play","x":1}', "'play' takes no 'x'"), ('{"do":"drag","x":1,"y":2}', "'drag' needs 'z'"),
    ('{"do":"drag","x":1,"x":2,"y":2}', "'x' twice"), ('{"do":"drag","x":1e7,"y":0,"z":0}', "'x' is out of range"),
    ('{"do":"drag","x":NaN,"y":0,"z":0}', "'x' is not a number"), ('{"do":"drag","x":0x1,"y":0,"z":0}', "'}' is missing"),
    ('{"do":"drag","x":.5,"y":0,"z":0}', "'x' is not a number"), ('{"do":"drag","x":1e999,"y":0,"z":0}', "out of range"),
    ('{"do":"got","frame":-1}', "'frame' is not a whole number"),
    ('{"do":"got","frame":4294967296}', "'frame' is not a whole number"),
    ('{"do":"got","frame":"1"}', "'frame' is not a number"), ('{"do":"reset","colour":1}', "no message has a field 'colour'"),
    ('{"do":"reset","cull":"' + "n" * 50 + '"}', "longer than 39"), ('{"do":"pl\\u0061y"}', "no message needs"),
    ('{"do":"gr\u00e4b"}', "no message needs"), ('{"do":"play"}' + " " * 2000, "1024 are the most"),
]


def check_messages(server):
    """Each malformed message is refused with a reason, and the page is disconnected after 20."""
    page = Page(server)
    bad = 0
    for text, reason in MALFORMED:
        if bad == 18:
            page.close()
            page, bad = Page(server), 0
        page.send(text)
        if reason is None:
            page.send({"do": "pause"})
            continue
        message = page.wait("refused")["message"]
        assert reason in message, (text, message)
        bad += 1
    page.close()
    page = Page(server)
    for first, payload in [(0x82, b'{"do":"play"}'), (0x01, b'{"do":'), (0x80, b'"play"}'), (0x81, b'{"do":"p\0lay"}')]:
        page.send_raw(first, payload)
        assert page.wait("refused")["message"]
    for _ in range(16):
        page.send("malformed")
    assert "Too many malformed" in page.wait("bye")["message"]
    assert page.receive() is None
    page.close()


def check_settings(server):
    page = Page(server)
    page.wait("frame")
    for message, reason in [({"threads": 257}, "257 threads are too many"), ({"size": 5}, "size is 5; it takes 100"),
                            ({"size": 2000000}, "size is 2000000"), ({"cull": "all"}, "no cull mode 'all'")]:
        page.send({"do": "reset", **message})
        assert reason in page.wait("error")["message"]
        assert page.wait("hello")["settings"]["size"] == 0
    page.send({"do": "reset", "size": 700, "cull": "none", "threads": 2})
    assert page.wait("hello")["settings"]["cull"] == "none"
    assert page.wait("frame")["triangles"] < 1500
    page.send({"do": "grab", "body": 0, "x": 0, "y": 0, "z": 0})
    assert "cannot be touched" in page.wait("error")["message"]
    page.send({"do": "reset", "size": 0, "cull": "certificate"})
    page.wait("hello")
    page.close()


def check_frames(server):
    """The frames have the contacts that `fracas scene` finds, and arrays of the right sizes."""
    words = [program, "scene", "wall", "--json", "--quiet"]
    steps = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)["steps"]
    page = Page(server)
    page.send({"do": "reset"})
    frame = page.wait_for(lambda frame: frame["step"] == 0)
    assert len(frame["corners"]) in (0, 12 * frame["triangles"])
    for number, step in enumerate(steps, 1):
        page.send({"do": "step"})
        frame = page.wait_for(lambda frame: frame["step"] == number)
        assert frame["found"] == sum(step.get(kind, 0) for kind in ["tt", "et", "vf", "ee", "ve", "vv"])
        assert len(frame["places"]) == 6 * frame["vertices"] and len(frame["grids"]) == 32 * frame["bodies"]
        if frame["begins"]:
            begins = struct.unpack(f"<{len(frame['begins']) // 4}I", frame["begins"])
            assert begins[frame["bodies"]] == frame["vertices"] and begins[-1] == frame["triangles"]
            corners = struct.unpack(f"<{3 * frame['triangles']}I", frame["corners"])
            assert max(corners) < frame["vertices"]
    assert frame["ended"] and frame["skipped"] == 0
    page.send({"do": "step"})
    assert "has ended" in page.wait("note")["message"]
    page.close()


def check_clients(server):
    """A second page takes the scene; a slow page gets the newest frame; one that vanishes stops nothing."""
    first = Page(server)
    first.wait("frame")
    second = Page(server)
    assert "Another page" in first.wait("taken")["message"]
    assert first.receive() is None
    first.close()
    second.send({"do": "reset"})
    second.wait_for(lambda frame: frame["step"] == 0)
    second.send({"do": "step"})
    waiting = second.wait("frame", answer=False)
    assert waiting["step"] == 1
    for _ in range(10):
        second.send({"do": "step"})
    assert second.is_silent(), "a frame came before the last one was acknowledged"
    second.send({"do": "got", "frame": waiting["frame"]})
    newest = second.wait("frame")
    assert newest["step"] == 11 and newest["skipped"] == 9, newest["step"]
    second.send({"do": "play"})
    second.wait_for(lambda frame: frame["step"] > 12)
    second.link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    second.close()
    third = Page(server)
    step = third.wait("frame")["step"]
    time.sleep(0.3)
    third.send({"do": "pause"})
    assert third.wait("frame")["step"] <= step + 1, "a scene without a page goes on"
    third.close()
    held = []
    for _ in range(20):
        try:
            held.append(Page(server))
        except Refused as refusal:
            assert "503" in str(refusal) and "Too many pages" in str(refusal)
            break
    else:
        raise AssertionError("20 pages at once")
    for page in held:
        page.close()


def check_stalled():
    """A page that reads nothing delays neither another one nor the end."""
    server = Server(program, "pulling-apart")
    stalled = Page(server, buffer=4096)
    time.sleep(1)
    start = time.monotonic()
    # The write to the first page fails after more than ten seconds only.
    page = Page(server)
    page.wait("hello")
    assert time.monotonic() - start < 5
    page.wait("frame")
    page.close()
    code, _, error, seconds = server.stop()
    assert code == 0 and seconds < 10, (code, error, seconds)


def check_touch(server):
    page = Page(server)
    assert page.wait("hello")["touch"]
    frame = page.wait("frame")
    page.send({"do": "grab", "body": frame["fixed"][0], "x": 0, "y": 0, "z": 0})
    assert "is fixed" in page.wait("error")["message"]
    page.send({"do": "grab", "body": 999, "x": 0, "y": 0, "z": 0})
    assert "no body of this number" in page.wait("error")["message"]
    page.send({"do": "drag", "x": 0, "y": 0, "z": 0})
    assert "nothing is being dragged" in page.wait("error")["message"]
    page.send({"do": "drop", "x": 100, "y": 0, "z": 0})
    assert "more than 4 m" in page.wait("error")["message"]
    bodies = frame["bodies"]
    for i in range(3):
        page.send({"do": "drop", "x": 0.1 * i, "y": 0, "z": 0})
    page.wait_for(lambda frame: frame["bodies"] == bodies + 3)
    page.send({"do": "play"})
    page.wait_for(lambda frame: frame["step"] > 20)
    page.close()


def main():
    server = Server(program, "wall")
    for check in [check_requests, check_messages, check_settings, check_frames, check_clients]:
        check(server)
        assert server.alive(), check.__name__
    # The port is in use.
    other = subprocess.run([program, "play", "wall", "--no-open", "--port", str(server.port)], capture_output=True, text=True)
    assert other.returncode == 1 and f"port {server.port} of 127.0.0.1 is in use" in other.stderr, other
    # Nobody else on the network can connect.
    with open("/proc/net/tcp") as file:
        listening = [line.split()[1] for line in file if line.split()[3] == "0A"]
    assert f"0100007F:{server.port:04X}" in listening and f"00000000:{server.port:04X}" not in listening
    page = Page(server)
    page.wait("frame")
    page.send({"do": "play"})
    code, out, error, seconds = server.stop()
    assert code == 0 and error == "" and seconds < 10, (code, error, seconds)
    assert re.search(r"^ended: \d+ steps, \d+ frames sent, \d+ steps not shown; \d+ pages, \d+ messages "
                     r"\(\d+ refused\), \d+ requests \(\d+ refused\)$", out, re.M), out
    assert "fracas play has ended" in page.wait("bye")["message"]
    if "need ODE" not in subprocess.run([program, "scene", "bricks", "--frames", "1"], capture_output=True, text=True).stderr:
        server = Server(program, "interactive-bunnies")
        check_touch(server)
        assert server.stop()[0] == 0
    check_stalled()
    print("all checks passed")


main()
