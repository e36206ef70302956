"""Validates JSON files by the schema of their format, and whether a mistake in any member would be found.

schema.py HEDDLE FILE...: the schema of a file is what `HEDDLE schema FORMAT` prints. Of each format every member is
changed in two ways, once: its value to one of another type, and its name. Prints what is wrong, then the number of files
and of changes.
"""

import copy
import json
import subprocess
import sys

import jsonschema

FEW = 3  # elements that are kept of a list; those of fixed length have no more
MANY = 40  # members of an object that names them as rows of a table: as many are kept


def schema_of(heddle, name, known={}):
    if name not in known:
        text = subprocess.run([heddle, "schema", name], check=True, capture_output=True, text=True).stdout
        jsonschema.Draft202012Validator.check_schema(json.loads(text))
        known[name] = jsonschema.Draft202012Validator(json.loads(text))
    return known[name]


def pruned(v):
    if isinstance(v, dict):
        return {k: pruned(x) for k, x in list(v.items())[:FEW if len(v) > MANY else None]}
    return [pruned(x) for x in v[:FEW]] if isinstance(v, list) else v


def at(v, path):
    for key in path:
        v = v[key]
    return v


def parts(root, schemas, key):
    """The schemas of a member, in any of the alternatives."""
    for s in schemas:
        if "$ref" in s:
            yield from parts(root, [root["$defs"][s["$ref"].split("/")[-1]]], key)
        elif "anyOf" in s:
            yield from parts(root, s["anyOf"], key)
        elif isinstance(key, int):
            yield from [s["items"]] if "items" in s else []
        elif key in s.get("properties", {}):
            yield s["properties"][key]
        elif isinstance(s.get("additionalProperties"), dict):
            yield s["additionalProperties"]


def members(v, root, schemas, path=(), kind=()):
    """(path, kind, free) of each value below the whole. Paths that differ only in places of lists, or in names where any
    name is free, have one kind."""
    for key, x in v.items() if isinstance(v, dict) else enumerate(v) if isinstance(v, list) else ():
        free = isinstance(v, dict) and any(True for _ in parts(root, schemas, key + "\0"))
        of = kind + (key if isinstance(v, dict) and not free else None,)
        yield path + (key,), of, free
        yield from members(x, root, list(parts(root, schemas, key)), path + (key,), of)


# A schema of these keywords alone takes a value when it does so without a part, and the part's schema takes the part.
PLAIN = {"type", "properties", "required", "additionalProperties", "items", "minItems", "maxItems", "title",
         "description", "$schema", "$id", "$defs"}


def narrowed(root, whole, path):
    """The smallest part that decides whether a change at the path is found: its schema, itself, and the path in it."""
    schema = root
    for k, key in enumerate(path[:-1]):
        while set(schema) == {"$ref"}:
            schema = root["$defs"][schema["$ref"].split("/")[-1]]
        inner = schema.get("items") if isinstance(key, int) else \
            schema.get("properties", {}).get(key, schema.get("additionalProperties"))
        if not PLAIN.issuperset(schema) or not isinstance(inner, dict):
            return schema, whole, path[k:]
        schema, whole = inner, whole[key]
    return schema, whole, path[-1:]


def other_type(v):
    return {"x": v} if not isinstance(v, dict) else "x"


def mistakes(whole, root, seen):
    """(what was changed, the changed part, its schema): one for each kind of member not seen before, and for each way."""
    for path, kind, free in members(whole, root, [root]):
        if kind in seen:
            continue
        seen.add(kind)
        schema, part, path = narrowed(root, whole, path)
        changed = copy.deepcopy(part)
        at(changed, path[:-1])[path[-1]] = other_type(at(part, path))
        yield f"the type of {kind}", changed, schema
        if isinstance(path[-1], str) and not free:
            changed = copy.deepcopy(part)
            of = at(changed, path[:-1])
            of[path[-1] + "_"] = of.pop(path[-1])
            yield f"the name of {kind}", changed, schema


def main(heddle, *files):
    wrong, changes, seen = 0, 0, {}
    for file in files:
        with open(file, encoding="utf-8") as text:
            whole = json.load(text)
        schema = schema_of(heddle, whole["format"])
        for error in list(schema.iter_errors(whole))[:3]:
            found = jsonschema.exceptions.best_match([error])
            print(f"{file}: {found.json_path}: {found.message[:200]}")
            wrong += 1
        small = pruned(whole)
        if not schema.is_valid(small):
            continue
        for what, changed, part in mistakes(small, schema.schema, seen.setdefault(whole["format"], set())):
            changes += 1
            if schema.evolve(schema=part).is_valid(changed):
                print(f"{file}: the schema takes a change of {what}")
                wrong += 1
    print(f"{len(files)} files, {changes} mistakes")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
