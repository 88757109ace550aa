"""Hostile HTTP requests and websocket frames for `fracas play`, which has to survive them.

usage: play_fuzz.py PROGRAM MESSAGES [SEED]
"""

import json
import random
import socket
import struct
import sys

from play_client import Page, Refused, Server

VERBS = ["play", "pause", "step", "got", "grab", "drag", "release", "drop", "halt", ""]
FIELDS = ["threads", "size", "cull", "frame", "body", "x", "y", "z", "do", "toString", ""]
VALUES = ["0", "-1", "1e999", "-0", "4294967296", "0.5", "NaN", "null", "true", "[]", "{}", '""', '"a"', "1e-400",
          '"certificate"', '"\\u0000"', "99999999999999999999", "[" * 50, '"' + "x" * 60 + '"']


def junk(r, most):
    return r.randbytes(r.randrange(most))


def near_json(r):
    """A message that is nearly one of the protocol."""
    members = [f'"do":"{r.choice(VERBS)}"']
    members += [f'"{r.choice(FIELDS)}":{r.choice(VALUES)}' for _ in range(r.randrange(5))]
    text = bytearray(("{" + ",".join(members) + "}").encode())
    for _ in range(r.randrange(3)):
        at = r.randrange(len(text))
        kind = r.randrange(3)
        if kind == 0:
            text[at] = r.randrange(256)
        elif kind == 1:
            del text[at:at + r.randrange(1, 8)]
            text = text or bytearray(b"{")
        else:
            text[at:at] = text[at:at + r.randrange(1, 40)]
    return bytes(text)


def request(r, server):
    """A request that may be broken anywhere."""
    path = r.choice([server.path, server.path + "socket", "/", "/../../etc/passwd", "*", "http://evil/", "//",
                     server.path[:-2] + "0/", "/%2e%2e/%00", server.path + "../x", "/" + "a" * r.randrange(9000)])
    lines = [f"{r.choice(['GET', 'POST', 'OPTIONS', 'CONNECT', 'PROPFIND', 'G', ''])} {path} "
             f"{r.choice(['HTTP/1.1', 'HTTP/1.0', 'HTTP/9', '', 'HTTP/1.1 x'])}"]
    headers = [f"Host: {server.host}", "Host: evil.example", f"Origin: {server.origin}", "Origin: null",
               "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 8",
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Key: " + "A" * 300,
               "Content-Length: -1", "Content-Length: 99999999999999999999", "Transfer-Encoding: chunked",
               "X: " + "y" * r.randrange(3000), ": ", "no colon", "Expect: 100-continue", "Range: bytes=0-"]
    lines += r.sample(headers, r.randrange(8))
    data = bytearray(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
    if r.random() < 0.4:
        data[r.randrange(len(data))] = r.randrange(256)
    return bytes(data) + (junk(r, 200) if r.random() < 0.3 else b"")


def frame(r):
    """A websocket frame: opcodes, lengths and masks of all kinds."""
    payload = near_json(r) if r.random() < 0.6 else junk(r, 1500)
    first = r.choice([0x81, 0x81, 0x81, 0x81, 0x82, 0x01, 0x80, 0x83, 0x8a, 0x89, 0xf1, r.randrange(256)])
    if first & 15 == 8:
        first ^= 1  # a close would end the connection: the next frames would not be read
    n, masked = len(payload), r.random() < 0.97
    if r.random() < 0.01:
        n = r.choice([0x7fffffff, 2**40, 2**63, 2**64 - 1, 70000])
    head = bytes([first])
    bit = 0x80 if masked else 0
    if n < 126:
        head += bytes([bit | n])
    elif n < 65536:
        head += bytes([bit | 126]) + struct.pack(">H", n)
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", n)
    return head + (r.randbytes(4) if masked and r.random() < 0.1 else b"\0\0\0\0" if masked else b"") + payload


def end(link, r):
    """Leave: mostly after the server has read everything, else as a client that vanishes."""
    if r.random() < 0.1:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif r.random() < 0.9:
        try:
            link.shutdown(socket.SHUT_WR)
            link.settimeout(20)
            while link.recv(1 << 20):
                pass
        except OSError:
            pass
    link.close()


def attack(server, r, count):
    """Send `count` messages; returns how many websockets were open."""
    done = opened = 0
    while done < count:
        if r.random() < 0.2:
            try:
                page = Page(server)
            except (Refused, OSError):
                done += 1
                continue
            opened += 1
            # After 20 malformed messages the server disconnects.
            frames = [frame(r) for _ in range(r.randrange(1, 30))]
            done += len(frames)
            try:
                page.link.sendall(b"".join(frames))
            except OSError:
                pass
            end(page.link, r)
        else:
            try:
                link = server.connect()
                link.sendall(request(r, server) if r.random() < 0.8 else junk(r, 3000))
                end(link, r)
            except OSError:
                pass
            done += 1
    return opened


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    r = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    for scene in ["wall", "interactive-bunnies"]:
        try:
            server = Server(program, scene, "--threads", "1")
        except AssertionError as error:
            if scene == "wall" or "need ODE" not in str(error):
                raise
            print("no ODE: no scene of rigid bodies")
            continue
        server.get()
        before = server.memory()
        opened = attack(server, r, count // 2)
        assert server.alive(), f"{scene}: the program has ended"
        grown = server.memory() - before
        assert grown < 300, f"{scene}: the program has {grown:.0f} MB more than before"
        # It still serves.
        for _ in range(200):
            try:
                page = Page(server)
                break
            except Refused:
                pass
        page.send({"do": "reset"})
        page.send({"do": "step"})
        assert page.wait_for(lambda frame: frame["step"] == 1)
        page.close()
        code, out, error, seconds = server.stop()
        assert code == 0, (code, error)
        print(f"{scene}: {count // 2} messages, {opened} websockets, {grown:.0f} MB more, "
              f"ended in {seconds:.1f} s: {out.splitlines()[-1]}")


main()
