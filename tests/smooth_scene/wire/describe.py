"""Checks answers of get_type_description. Each line of input is {"hash": H, "description": TypeDescription}.

The hash of what was described, and the hash that PyPI rosbags computes from the definition, have to be H. The answer is one
line per type: {} or {"error": TEXT}."""

import hashlib
import json
import sys

from typestore import make_typestore

STORE = make_typestore()


def without_defaults(individual):
    """What is hashed, in the order in which it is: REP 2016 leaves default values out."""
    order = ("type_id", "capacity", "string_capacity", "nested_type_name")
    fields = [{"name": field["name"], "type": {key: field["type"][key] for key in order}} for field in individual["fields"]]
    return {"type_name": individual["type_name"], "fields": fields}


def check(expected, description):
    name = description["type_description"]["type_name"]
    hashed = {
        "type_description": without_defaults(description["type_description"]),
        "referenced_type_descriptions": [without_defaults(one) for one in description["referenced_type_descriptions"]],
    }
    described = "RIHS01_" + hashlib.sha256(json.dumps(hashed).encode()).hexdigest()
    if described != expected:
        return {"error": f"{name}: the description has the hash {described}, not {expected}"}
    if (theirs := STORE.hash_rihs01(name)) != expected:
        return {"error": f"{name}: rosbags has the hash {theirs}, not {expected}"}
    return {}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(check(request["hash"], request["description"])), flush=True)
