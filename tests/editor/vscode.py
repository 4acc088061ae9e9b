"""Runs a task of VS Code on a file, and prints what its problem matcher finds, as VS Code would.

usage: vscode.py TASKS.json FILE
"""

import json
import os
import re
import subprocess
import sys

tasks, spec = sys.argv[1:]
with open(tasks, encoding="utf-8") as file:
    (task,) = json.load(file)["tasks"]
command = [task["command"], *(argument.replace("${file}", spec) for argument in task["args"])]
said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout

pattern = task["problemMatcher"]["pattern"]
for line in said.splitlines():
    found = re.search(pattern["regexp"], line)
    if found:
        part = {key: found[group] for key, group in pattern.items() if key != "regexp"}
        other = "" if part["file"] == spec else os.path.basename(part["file"]) + " "
        print(f"{other}{part['line']}:{part['column']} {part['severity']} {part['code']} {part['message']}")
