#!/usr/bin/env python3
"""Inflate against zlib: streams of every level and strategy, and damaged ones.

usage: inflate_differential.py PROGRAM [SEED] [ROUNDS]   where PROGRAM is inflate_pipe
Both have to take or refuse a stream, and to find the same bytes in it.
"""
import random
import struct
import subprocess
import sys
import zlib

STRATEGIES = [zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, 3, 4]  # RLE, fixed


def content(rng):
    """Noise, few letters, repetitions near and far, numbers as arrays have them, runs."""
    kind = rng.randrange(6)
    size = rng.choice([0, 1, 2, 3, rng.randrange(300), rng.randrange(70000)])
    if kind == 0:
        return rng.randbytes(size)
    if kind == 1:
        return bytes(rng.choice(b"abbcccc") for _ in range(size))
    if kind == 2:
        part = rng.randbytes(rng.choice([1, 2, 258, 32767, 32768, 32769]))
        return (part * (size // len(part) + 1))[:size]
    if kind == 3:
        return struct.pack("<%dd" % (size // 8), *(rng.random() for _ in range(size // 8)))
    if kind == 4:
        return struct.pack("<%dq" % (size // 8), *(i + rng.randrange(5) for i in range(size // 8)))
    # Fibonacci counts give codes of 15 bits.
    counts, out = [1, 1], bytearray()
    while sum(counts) < 20000:
        counts.append(counts[-1] + counts[-2])
    for letter, count in enumerate(counts):
        out += bytes([letter]) * count
    out = list(out)
    rng.shuffle(out)
    return bytes(out)


def packed(rng, data):
    z = zlib.compressobj(rng.randrange(10), zlib.DEFLATED, rng.randrange(9, 16), rng.randrange(1, 10),
                         rng.choice(STRATEGIES))
    out, at = b"", 0
    while rng.random() < 0.5 and at < len(data):  # several blocks, some of them empty
        step = rng.randrange(len(data) - at + 1)
        out += z.compress(data[at:at + step])
        out += z.flush(rng.choice([zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH, zlib.Z_PARTIAL_FLUSH]))
        at += step
    return out + z.compress(data[at:]) + z.flush()


def damaged(rng, stream):
    stream = bytearray(stream)
    for _ in range(rng.choice([1, 1, 1, 3])):
        how = rng.randrange(5)
        # Most errors in the first bytes, which contain the codes, are fatal.
        at = rng.randrange(min(len(stream), rng.choice([12, 80, 1 << 30]))) if stream else 0
        if how <= 1 and stream:
            stream[at] ^= 1 << rng.randrange(8)
        elif how == 2 and stream:
            stream[at] = rng.randrange(256)
        elif how == 3:
            del stream[rng.randrange(len(stream) + 1):]
        else:
            stream[at:at] = rng.randbytes(rng.randrange(1, 4))
    return bytes(stream)


def adler_mended(stream):
    """What a stream holds whose checksum is made to fit, or None: damage that is not seen by sums."""
    z = zlib.decompressobj(-15)
    try:
        data = z.decompress(stream[2:])
    except zlib.error:
        return None
    if not z.eof:
        return None
    body = stream[:len(stream) - len(z.unused_data)]
    return body + struct.pack(">I", zlib.adler32(data))


def expected(stream):
    """The content, or None."""
    z = zlib.decompressobj()
    try:
        data = z.decompress(stream)
    except zlib.error:
        return None
    return data if z.eof and not z.unused_data else None


def cases(rng, rounds):
    for _ in range(rounds):
        data = content(rng)
        stream = packed(rng, data)
        yield stream, len(data)
        yield stream, max(0, len(data) + rng.choice([-1, 1]))
        for _ in range(8):
            broken = damaged(rng, stream)
            mended = adler_mended(broken)
            for one in [broken] if mended is None else [broken, mended]:
                found = expected(one)
                yield one, len(data) if found is None else len(found)
        short = rng.randbytes(rng.randrange(40))  # anything, as a block of any kind
        yield b"\x78\x9c" + short, rng.randrange(100)
        mended = adler_mended(b"\x78\x9c" + short)
        if mended is not None:
            yield mended, len(expected(mended))


def main():
    program, seed, rounds = (sys.argv[1:] + ["1", "400"][len(sys.argv) - 2:])[:3]
    seed, rounds = int(seed), int(rounds)
    rng = random.Random(seed)
    listed = list(cases(rng, rounds))
    sent = b"".join(struct.pack("<II", len(s), n) + s for s, n in listed)
    got = subprocess.run([program], input=sent, stdout=subprocess.PIPE, check=True).stdout
    at = taken = 0
    for number, (stream, count) in enumerate(listed):
        wanted = expected(stream)
        wanted = None if wanted is None or len(wanted) != count else wanted
        good = at < len(got) and got[at] == (wanted is not None)
        at += 1
        if good and wanted is not None:
            good = got[at:at + count] == wanted
            at += count
            taken += 1
        if not good:
            print(f"case {number} of seed {seed}: {len(stream)} bytes, {count} inside, zlib "
                  f"{'refuses' if wanted is None else 'takes'} it: {stream[:40].hex()}...")
            return 1
    print(f"{len(listed)} streams, {taken} of them sound")
    return 0 if at == len(got) and rounds < taken < len(listed) else 1


if __name__ == "__main__":
    sys.exit(main())
