"""Start `fracas play` and talk to it: HTTP and websockets with Python's standard library."""

import base64
import json
import os
import select
import signal
import socket
import struct
import subprocess
import time

SECTIONS = ("begins", "corners", "grids", "places", "marks", "columns")


class Server:
    """The program, until stop()."""

    def __init__(self, program, *words):
        # A shell starts background programs with SIGINT ignored, which they keep.
        self.process = subprocess.Popen(
            [program, "play", *words, "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
        line = self.process.stdout.readline()
        assert " is at http://127.0.0.1:" in line, line + self.process.stderr.read()
        self.address = line.split(" is at ")[1].strip()
        self.host, self.path = self.address[len("http://"):].split("/", 1)
        self.port = int(self.host.split(":")[1])
        self.path = "/" + self.path
        self.origin = "http://" + self.host

    def alive(self):
        return self.process.poll() is None

    def memory(self):
        """Resident megabytes."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

    def stop(self):
        """Ctrl-C. Returns exit code, stdout, stderr and seconds."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        out, error = self.process.communicate(timeout=60)
        return self.process.returncode, out, error, time.monotonic() - start

    def connect(self, buffer=0):
        """A connection; `buffer`: with so small a buffer for what it receives."""
        link = socket.socket()
        if buffer:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        link.settimeout(20)
        link.connect(("127.0.0.1", self.port))
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return link

    def exchange(self, data):
        """Send bytes, read until the server closes."""
        with self.connect() as link:
            try:
                link.sendall(data)
                link.shutdown(socket.SHUT_WR)
                parts = []
                while part := link.recv(65536):
                    parts.append(part)
            except ConnectionError:
                pass
            return b"".join(parts)

    def get(self, path=None, method="GET", **headers):
        """A request with this Host and other headers. Returns status and body."""
        lines = [f"{method} {self.path if path is None else path} HTTP/1.1"]
        given = {"Host": self.host} | {name.replace("_", "-"): value for name, value in headers.items()}
        lines += [f"{name}: {value}" for name, value in given.items() if value is not None]
        answer = self.exchange(("\r\n".join(lines) + "\r\n\r\n").encode())
        head, _, body = answer.partition(b"\r\n\r\n")
        self.head = head.decode("latin-1")
        return (int(head.split()[1]) if head else 0), body


class Refused(Exception):
    pass


class Page:
    """A websocket, as the page opens it."""

    def __init__(self, server, origin=None, path=None, host=None, buffer=0):
        self.link = server.connect(buffer)
        key = base64.b64encode(os.urandom(16)).decode()
        self.link.sendall(
            f"GET {path or server.path + 'socket'} HTTP/1.1\r\nHost: {host or server.host}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\nOrigin: {origin or server.origin}\r\n\r\n".encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            part = self.link.recv(65536)
            if not part:
                raise Refused(self.buffer.decode("latin-1"))
            self.buffer += part
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head:
            raise Refused((head + b"\r\n\r\n" + self.buffer).decode("latin-1"))

    # ---- frames of the protocol

    def send_raw(self, first, payload, mask=True, length=None):
        n = len(payload) if length is None else length
        head = bytes([first])
        bit = 0x80 if mask else 0
        if n < 126:
            head += bytes([bit | n])
        elif n < 65536:
            head += bytes([bit | 126]) + struct.pack(">H", n)
        else:
            head += bytes([bit | 127]) + struct.pack(">Q", n)
        if mask:
            key = os.urandom(4)
            payload = bytes(b ^ key[i & 3] for i, b in enumerate(payload))
            head += key
        self.link.sendall(head + payload)

    def send(self, message):
        self.send_raw(0x81, (message if isinstance(message, str) else json.dumps(message)).encode())

    def take(self, n):
        while len(self.buffer) < n:
            part = self.link.recv(1 << 20)
            if not part:
                raise ConnectionError("closed")
            self.buffer += part
        taken, self.buffer = self.buffer[:n], self.buffer[n:]
        return taken

    def receive(self, seconds=20):
        """A text as a dict, a frame as a dict with the key "type" frame; None: closed."""
        end = time.monotonic() + seconds
        self.link.settimeout(seconds)
        try:
            first, n = self.take(2)
            if n == 126:
                n = struct.unpack(">H", self.take(2))[0]
            elif n == 127:
                n = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(n)
        except ConnectionError:
            return None
        if first & 15 == 8:
            return None
        if first & 15 == 9:
            self.send_raw(0x8a, payload)
            if time.monotonic() > end:
                raise TimeoutError("nothing but pings")
            return self.receive(max(0.1, end - time.monotonic()))
        return json.loads(payload) if first & 15 == 1 else decode(payload)

    def wait(self, kind, answer=True, seconds=20):
        """The next message of a type; frames are acknowledged on the way."""
        end = time.monotonic() + seconds
        while (message := self.receive(seconds)) is not None:
            if time.monotonic() > end:
                raise TimeoutError(f"no '{kind}'")
            if message["type"] == "frame" and answer:
                self.send({"do": "got", "frame": message["frame"]})
            if message["type"] == kind:
                return message
        raise ConnectionError(f"closed before '{kind}'")

    def wait_for(self, test, seconds=30):
        """The next frame for which `test` holds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            frame = self.wait("frame")
            if test(frame):
                return frame
        raise TimeoutError

    def is_silent(self, seconds=0.3):
        return not self.buffer and not select.select([self.link], [], [], seconds)[0]

    def close(self):
        self.link.close()


def decode(payload):
    protocol, size = struct.unpack_from("<II", payload)
    assert protocol == 1
    frame = json.loads(payload[8:8 + size])
    at = 8 + (size + 7) // 8 * 8
    for name, n in zip(SECTIONS, frame["sizes"]):
        frame[name] = payload[at:at + n]
        at += (n + 7) // 8 * 8
    assert at == len(payload)
    frame["type"] = "frame"
    return frame
