"""A peer on the Cyclone DDS that PyPI carries, as `peer.hpp` describes peers.

Messages pass as bytes: the type that is declared to DDS has the name of the ROS type and writes what it is given.
Requests and replies are tied together as rmw_cyclonedds_cpp does it: in front of the message stand eight bytes that name
the client and eight that count."""

import os
import secrets
import struct
import sys
import time
from dataclasses import dataclass

from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import uint8
from cyclonedds.internal import InvalidSample
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

# Between two looks for a message: short against what a test waits for.
NAP = 0.0002


def dds_type(ros, ending):
    """A ROS type such as pkg/srv/Name with an ending, as DDS writes it: pkg::srv::dds_::Name_Request_"""
    package, kind, name = ros.split("/")
    return f"{package}::{kind}::dds_::{name}{ending}"


def bytes_type(typename):
    """A type of this name that is written and read as it stands."""

    @dataclass
    class Message(IdlStruct, typename=typename):
        first: uint8

        def serialize(self, **_):
            return self.data

        @classmethod
        def deserialize(cls, data, **_):
            return cls.of(bytes(data))

        @classmethod
        def of(cls, data):
            message = cls(first=0)
            message.data = data
            return message

    return Message


def qos(kind):
    reliable = Policy.Reliability.Reliable(duration(seconds=1))
    latched = kind == "latched"
    return Qos(
        Policy.Reliability.BestEffort if kind == "best_effort" else reliable,
        Policy.Durability.TransientLocal if latched else Policy.Durability.Volatile,
        Policy.History.KeepLast(100 if latched else 4000),
    )


class Writer:
    def __init__(self, participant, name, typename, kind):
        self.type = bytes_type(typename)
        self.writer = DataWriter(participant, Topic(participant, name, self.type), qos=qos(kind))

    def matched(self):
        return bool(self.writer.get_matched_subscriptions())

    def write(self, data):
        self.writer.write(self.type.of(data))


class Reader:
    def __init__(self, participant, name, typename, kind):
        topic = Topic(participant, name, bytes_type(typename))
        self.reader = DataReader(participant, topic, qos=qos(kind))

    def matched(self):
        return bool(self.reader.get_matched_publications())

    def take(self, until):
        """The next message, or None when there is none until then."""
        while True:
            for message in self.reader.take(N=1):
                if not isinstance(message, InvalidSample):
                    return message.data
            if time.monotonic() >= until:
                return None
            time.sleep(NAP)


class Client:
    def __init__(self, participant, name, typename):
        self.requests = Writer(participant, f"rq{name}Request", dds_type(typename, "_Request_"), "reliable")
        self.replies = Reader(participant, f"rr{name}Reply", dds_type(typename, "_Response_"), "reliable")
        self.identity, self.count = secrets.token_bytes(8), 0

    def matched(self):
        return self.requests.matched() and self.replies.matched()

    def send(self, request):
        self.count += 1
        self.requests.write(request[:4] + self.identity + struct.pack("<q", self.count) + request[4:])

    def receive(self, until):
        """The answer to the last request that was sent."""
        wanted = self.identity + struct.pack("<q", self.count)
        while (reply := self.replies.take(until)) is not None:
            if reply[4:20] == wanted:
                return reply[:4] + reply[20:]
        return None


def wait(condition, milliseconds):
    until = time.monotonic() + milliseconds / 1000
    while not condition():
        if time.monotonic() > until:
            return "timeout"
        time.sleep(0.001)
    return "ok"


def call_all(client, milliseconds, questions, answers):
    with open(questions, "rb") as file:
        rest = memoryview(file.read())
    lost = 0
    with open(answers, "wb") as out:
        while rest:
            (length,) = struct.unpack("<I", rest[:4])
            request, rest = bytes(rest[4 : 4 + length]), rest[4 + length :]
            begin = time.monotonic()
            client.send(request)
            answer = client.receive(begin + milliseconds / 1000)
            lost += answer is None
            answer = answer or b""
            out.write(struct.pack("<dI", 1e6 * (time.monotonic() - begin), len(answer)) + answer)
    return f"timeout {lost}" if lost else "done"


def main():
    participant = DomainParticipant(int(os.environ["ROS_DOMAIN_ID"]))
    clients, publishers, subscribers = [], [], []
    for line in sys.stdin:
        word, *rest = line.split()
        answer = "ok"
        if word == "client":
            clients.append(Client(participant, rest[0], rest[1]))
            answer = wait(clients[-1].matched, int(rest[2]))
        elif word == "call":
            client = clients[int(rest[0])]
            client.send(bytes.fromhex(rest[2]))
            reply = client.receive(time.monotonic() + int(rest[1]) / 1000)
            answer = "timeout" if reply is None else f"reply {reply.hex()}"
        elif word == "send":
            clients[int(rest[0])].send(bytes.fromhex(rest[1]))
        elif word == "calls":
            answer = call_all(clients[int(rest[0])], int(rest[1]), rest[2], rest[3])
        elif word == "advertise":
            publishers.append(Writer(participant, f"rt{rest[0]}", dds_type(rest[1], "_"), rest[2]))
        elif word == "matched":
            answer = wait(publishers[int(rest[0])].matched, int(rest[1]))
        elif word == "publish":
            publishers[int(rest[0])].write(bytes.fromhex(rest[1]))
        elif word == "subscribe":
            subscribers.append(Reader(participant, f"rt{rest[0]}", dds_type(rest[1], "_"), rest[2]))
        elif word == "take":
            until = time.monotonic() + int(rest[2]) / 1000
            for _ in range(int(rest[1])):
                if (message := subscribers[int(rest[0])].take(until)) is None:
                    break
                print("message", message.hex())
            answer = "end"
        else:
            sys.exit(f"unknown command: {word}")
        print(answer, flush=True)


main()
