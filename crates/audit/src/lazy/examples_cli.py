import json
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
shown = json.load(open(os.path.join(here, "lazy_knowledge.json")))["shown"]
asked = " ".join(sys.argv[1:])
found = [text for command, text in shown if command == asked] or [max((text for _, text in shown), key=len, default="")]
sys.stdout.write(found[0])
