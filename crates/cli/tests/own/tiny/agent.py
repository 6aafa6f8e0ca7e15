#!/usr/bin/env python3
"""A small agent that speaks any of the four APIs: its model runs shell commands until it calls none."""

import json
import os
import subprocess
import sys
import urllib.request

API, BASE, MODEL = (os.environ[name] for name in ("API", "BASE", "MODEL"))
SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}


def ask(path, body):
    headers = {"content-type": "application/json", "authorization": "Bearer none"}
    request = urllib.request.Request(BASE + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def anthropic(said):
    tools = [{"name": "sh", "input_schema": SCHEMA}]
    body = {"model": MODEL, "max_tokens": 1000, "messages": said, "tools": tools}
    content = ask("/v1/messages", body)["content"]
    said.append({"role": "assistant", "content": content})
    calls = [(call["id"], call["input"]["command"]) for call in content if call["type"] == "tool_use"]
    return calls, lambda id, text: {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": id, "content": text}],
    }


def responses(said):
    tools = [{"type": "function", "name": "sh", "parameters": SCHEMA}]
    output = ask("/v1/responses", {"model": MODEL, "input": said, "tools": tools})["output"]
    said.extend(output)
    calls = [item for item in output if item["type"] == "function_call"]
    calls = [(call["call_id"], json.loads(call["arguments"])["command"]) for call in calls]
    return calls, lambda id, text: {"type": "function_call_output", "call_id": id, "output": text}


def chat(said):
    tools = [{"type": "function", "function": {"name": "sh", "parameters": SCHEMA}}]
    message = ask("/v1/chat/completions", {"model": MODEL, "messages": said, "tools": tools})["choices"][0]["message"]
    said.append(message)
    calls = [(call["id"], call["function"]["arguments"]) for call in message.get("tool_calls") or []]
    calls = [(id, json.loads(arguments)["command"]) for id, arguments in calls]
    return calls, lambda id, text: {"role": "tool", "tool_call_id": id, "content": text}


def gemini(said):
    tools = [{"functionDeclarations": [{"name": "sh", "parametersJsonSchema": SCHEMA}]}]
    path = f"/v1beta/models/{MODEL}:generateContent"
    content = ask(path, {"contents": said, "tools": tools})["candidates"][0]["content"]
    said.append(content)
    calls = [part["functionCall"] for part in content["parts"] if "functionCall" in part]
    calls = [("", call["args"]["command"]) for call in calls]
    return calls, lambda id, text: {
        "role": "user",
        "parts": [{"functionResponse": {"name": "sh", "response": {"output": text}}}],
    }


TURN = {"anthropic-messages": anthropic, "openai-responses": responses, "openai-chat": chat, "gemini": gemini}[API]
prompt = sys.argv[1]
said = [{"role": "user", "parts": [{"text": prompt}]} if API == "gemini" else {"role": "user", "content": prompt}]
while True:
    calls, result = TURN(said)
    if not calls:
        break
    for id, command in calls:
        ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
        said.append(result(id, ran.stdout + ran.stderr))
