"""Compares message structs with PyPI rosbags. Each line of input is one type:

    {"type": NAME, "schema": S, "hash": H, "cases": [{"value": V, "bytes": HEX}, …]}

The schema has to have the fields rosbags knows, the hash has to be the one rosbags computes, and every value has to be encoded in those bytes by rosbags, and decoded
from them. The answer is one line per type: {"big_endian": [HEX, …]}, the same values in the other byte order, or
{"error": TEXT}."""

import json
import sys

import numpy as np
from rosbags.interfaces import Nodetype

from typestore import make_typestore

STORE = make_typestore()
# One byte is one byte, though rosbags takes a `byte` for a signed one.
SAME = {"byte": "uint8", "octet": "uint8", "char": "uint8"}
DTYPE = {"byte": "int8", "octet": "uint8", "char": "uint8"}


# The field that rosidl gives a message without fields. It is a byte on the wire and nothing to users.
FILLER = "structure_needs_at_least_one_member"


def fields_of(name):
    return [field for field in STORE.fielddefs[name][1] if field[0] != FILLER]


def schema_of(node):
    """The layout rosbags knows, in the form of the Rust side."""
    kind, what = node
    if kind == Nodetype.BASE:
        return SAME.get(what[0], what[0])
    if kind == Nodetype.NAME:
        return {"fields": [[name, schema_of(field)] for name, field in fields_of(what)]}
    element, length = what
    if kind == Nodetype.ARRAY:
        return ["array", schema_of(element), length]
    return ["sequence", schema_of(element)]


def difference(ours, theirs, path):
    """Where two layouts differ, or nothing."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        mine, other = ([name for name, _ in side["fields"]] for side in (ours, theirs))
        if mine != other:
            return f"{path} has the fields {mine}, rosbags {other}"
        both = zip(ours["fields"], theirs["fields"])
        return next(filter(None, (difference(a[1], b[1], f"{path}.{a[0]}") for a, b in both)), None)
    if isinstance(ours, list) and isinstance(theirs, list) and ours[0::2] == theirs[0::2]:
        return difference(ours[1], theirs[1], path + "[]")
    return None if ours == theirs else f"{path} is {ours}, rosbags has {theirs}"


def build(node, value):
    """The value as rosbags wants it: classes and numpy arrays."""
    kind, what = node
    if kind == Nodetype.NAME:
        values = {name: build(field, value[name]) for name, field in fields_of(what)}
        if len(values) < len(STORE.fielddefs[what][1]):
            values[FILLER] = 0
        return STORE.types[what](**values)
    if kind == Nodetype.BASE:
        return (value + 128) % 256 - 128 if what[0] == "byte" else value
    element = what[0]
    if element[0] == Nodetype.BASE and element[1][0] != "string":
        name = element[1][0]
        return np.array([build(element, v) for v in value], dtype=DTYPE.get(name, name))
    return [build(element, v) for v in value]


def plain(node, message):
    """The other way round: a rosbags message as JSON."""
    kind, what = node
    if kind == Nodetype.NAME:
        return {name: plain(field, getattr(message, name)) for name, field in fields_of(what)}
    if kind == Nodetype.BASE:
        if what[0] == "byte":
            return int(message) % 256
        return np.float32(message).item() if what[0] == "float32" else message
    values = message.tolist() if isinstance(message, np.ndarray) else message
    return [plain(what[0], v) for v in values]


def rounded(node, value):
    """Numbers of 32 bits come as shortest decimals: the value they stand for."""
    kind, what = node
    if kind == Nodetype.NAME:
        return {name: rounded(field, value[name]) for name, field in fields_of(what)}
    if kind == Nodetype.BASE:
        return np.float32(value).item() if what[0] == "float32" else value
    return [rounded(what[0], v) for v in value]


def compare(name, schema, digest, cases):
    node = (Nodetype.NAME, name)
    if found := difference(schema, schema_of(node), name):
        return {"error": found}
    if (theirs := STORE.hash_rihs01(name)) != digest:
        return {"error": f"{name}: rosbags has the hash {theirs}, not {digest}"}
    answers = []
    for case in cases:
        message = build(node, case["value"])
        theirs = bytes(STORE.serialize_cdr(message, name, little_endian=True)).hex()
        if theirs != case["bytes"]:
            return {"error": f"{name}: rosbags encodes {theirs}, not {case['bytes']}: {case['value']}"}
        decoded = plain(node, STORE.deserialize_cdr(bytes.fromhex(case["bytes"]), name))
        if decoded != rounded(node, case["value"]):
            return {"error": f"{name}: rosbags decodes {decoded} from {case['bytes']}, not {case['value']}"}
        answers.append(bytes(STORE.serialize_cdr(message, name, little_endian=False)).hex())
    return {"big_endian": answers}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(compare(request["type"], request["schema"], request["hash"], request["cases"])), flush=True)
