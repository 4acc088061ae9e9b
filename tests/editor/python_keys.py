"""Functions of halogen.build take the keys of their verbs: those of the annotations for editors.

usage: python_keys.py ANNOTATIONS BUILD.py
"""

import ast
import re
import sys

# What Python has beyond the language: a struct from a NumPy type, whose name, size and alignment follow.
BEYOND = {"struct": {"dtype"}}

annotations, module = sys.argv[1:]
with open(annotations, encoding="utf-8") as file:
    text = file.read()
keys = {}
for verb, fields in re.findall(r"^---@class halogen\.(\w+)_table\n((?:---@field .*\n)*)", text, re.MULTILINE):
    keys[verb] = set(re.findall(r"^---@field (\w+)\??", fields, re.MULTILINE))

with open(module, encoding="utf-8") as file:
    tree = ast.parse(file.read())
del keys["exchange_fields"]  # a table inside of an exchange, which is table() in Python
passed = failed = 0
for function in tree.body:
    if not isinstance(function, ast.FunctionDef) or function.name not in keys:
        continue
    taken = {argument.arg for argument in function.args.kwonlyargs}
    taken -= BEYOND.get(function.name, set())
    wanted = keys.pop(function.name)
    if taken == wanted:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {function.name}: only in Python {sorted(taken - wanted)}, only in specs {sorted(wanted - taken)}")
for verb in keys:
    failed += 1
    print(f"FAIL {verb} is no function of halogen.build")
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)
