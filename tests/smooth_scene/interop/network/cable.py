"""The cable between two machines, each in a network namespace: passes Ethernet frames between two interfaces, and loses,
delays and reorders some of them. The kernel's `tc netem` does the same, where it is compiled in; this needs nothing but
root, and a seed repeats what is lost.

    cable.py LEFT RIGHT LOSS DELAY REORDERED SEED

LOSS and REORDERED are parts of the frames, DELAY is in seconds. A reordered frame is delayed half as long again. Runs until
its standard input ends, then prints what it has seen as JSON."""

import heapq
import json
import random
import select
import socket
import struct
import sys
import time

# Frames of an Ethernet with an MTU of 1500.
LARGEST_FRAME = 1514
ALL_PROTOCOLS = socket.htons(0x0003)
OUTGOING = 4


def opened(name):
    interface = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, ALL_PROTOCOLS)
    interface.bind((name, 0x0003))
    interface.setblocking(False)
    interface.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    return interface


def received(interface):
    """The frames that came in, as far as there are any now."""
    while True:
        try:
            frame, address = interface.recvfrom(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            # The interface is down: the cable is pulled.
            return
        if address[2] != OUTGOING:
            yield bytearray(frame)


def ip_packet(frame):
    """Offset of the UDP header if it is UDP over IPv4, the sender, and whether it is a fragment."""
    if frame[12:14] != b"\x08\x00" or frame[23] != 17:
        return None
    fragment = struct.unpack("!H", frame[20:22])[0] & 0x3FFF
    return 14 + 4 * (frame[14] & 15), socket.inet_ntoa(frame[26:30]), fragment != 0


def main():
    left, right = map(opened, sys.argv[1:3])
    loss, delay, reordered = map(float, sys.argv[3:6])
    chance = random.Random(int(sys.argv[6]))
    seen = {"frames": 0, "lost": 0, "reordered": 0, "largest": 0, "fragments": {}}
    waiting, count = [], 0
    print("ready", flush=True)
    while True:
        now = time.monotonic()
        pause = max(0.0, waiting[0][0] - now) if waiting else None
        readable, _, _ = select.select([left, right, sys.stdin], [], [], pause)
        if sys.stdin in readable:
            break
        now = time.monotonic()
        for interface in readable:
            for frame in received(interface):
                seen["frames"] += 1
                seen["largest"] = max(seen["largest"], len(frame))
                if packet := ip_packet(frame):
                    udp, sender, is_fragment = packet
                    if is_fragment:
                        seen["fragments"][sender] = seen["fragments"].get(sender, 0) + 1
                    else:
                        # The kernel leaves the checksum to the hardware, which is us: zero means that there is none.
                        frame[udp + 6 : udp + 8] = b"\0\0"
                if chance.random() < loss:
                    seen["lost"] += 1
                    continue
                due = now + delay
                if chance.random() < reordered:
                    due += delay / 2
                    seen["reordered"] += 1
                count += 1
                heapq.heappush(waiting, (due, count, right if interface is left else left, frame))
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, interface, frame = heapq.heappop(waiting)
            try:
                interface.send(frame)
            except OSError:
                # Down, or its queue is full: lost.
                seen["lost"] += 1
    print(json.dumps(seen), flush=True)


main()
