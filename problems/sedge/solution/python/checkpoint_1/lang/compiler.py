"""Compiles a syntax tree to code and finds what is wrong with its names."""

from lang import nodes, operations, operators
from lang.code import Code
from lang.errors import StaticError
from lang.scopes import Scopes
from lang.stretches import mark
from lang.values import Builtin


class Compiler:
    """Static errors are collected, so that all can be reported."""

    def __init__(self, builtins):
        self.code = Code()
        self.scopes = Scopes(builtins)
        self.loops = []
        self.errors = []
        self.compilers = {
            nodes.Literal: self.literal,
            nodes.Insertions: self.insertions,
            nodes.Name: self.name,
            nodes.ListDisplay: self.list_display,
            nodes.Unary: self.unary,
            nodes.Binary: self.binary,
            nodes.Shortcut: self.shortcut,
            nodes.Index: self.index,
            nodes.Call: self.call,
            nodes.Evaluate: self.evaluate,
            nodes.Declare: self.declare,
            nodes.Assign: self.assign,
            nodes.Block: self.block,
            nodes.If: self.condition,
            nodes.While: self.loop,
            nodes.Break: self.leave,
            nodes.Continue: self.leave,
        }

    def compile(self, node):
        self.compilers[type(node)](node)

    def fault(self, code, position):
        self.errors.append(StaticError(code, position))

    def program(self, program):
        self.block(program)
        self.code.emit(operations.halt, None, program.position)
        self.code.slots = self.scopes.slots
        return self.code

    # Expressions leave one value on the stack.

    def literal(self, node):
        self.code.emit(operations.push, node.value, node.position)

    def insertions(self, node):
        for part in node.parts:
            self.compile(part)
        self.code.emit(operations.make_text, len(node.parts), node.position)

    def name(self, node):
        found = self.scopes.find(node.name)
        if found is None:
            self.fault("undefined", node.position)
        elif isinstance(found, Builtin):
            self.code.emit(operations.push, found, node.position)
        else:
            self.code.emit(operations.load, found.slot, node.position)

    def list_display(self, node):
        for item in node.items:
            self.compile(item)
        self.code.emit(operations.make_list, len(node.items), node.position)

    def unary(self, node):
        self.compile(node.operand)
        self.code.emit(operations.unary, operators.UNARY[node.operator], node.position)

    def binary(self, node):
        self.compile(node.left)
        self.compile(node.right)
        self.code.emit(operations.binary, operators.BINARY[node.operator], node.position)

    def shortcut(self, node):
        self.compile(node.left)
        skip = operations.jump_if_true if node.operator == "or" else operations.jump_if_false
        jump = self.code.emit(skip, None, node.position)
        self.code.emit(operations.drop, None, node.position)
        self.compile(node.right)
        self.code.emit(operations.check_boolean, None, node.position)
        self.code.aim(jump, self.code.here)

    def index(self, node):
        self.compile(node.container)
        self.compile(node.index)
        self.code.emit(operations.get_item, None, node.position)

    def call(self, node):
        self.compile(node.callee)
        for argument in node.arguments:
            self.compile(argument)
        self.code.emit(operations.call, len(node.arguments), node.position)

    # Statements leave the stack as it was.

    def evaluate(self, node):
        self.compile(node.expression)
        self.code.emit(operations.drop, None, node.position)

    def declare(self, node):
        self.compile(node.value)
        variable = self.scopes.declare(node.name, node.constant)
        if variable is None:
            self.fault("redeclared", node.position)
        else:
            self.code.emit(operations.store, variable.slot, node.position)

    def assign(self, node):
        self.compile(node.value)
        if isinstance(node.target, nodes.Name):
            self.assign_name(node)
        else:
            self.assign_item(node)

    def assign_name(self, node):
        variable = self.assigned_variable(node.target)
        if variable is None:
            return
        if node.operator:
            self.code.emit(operations.load, variable.slot, node.target.position)
            operation = operators.BINARY[node.operator]
            self.code.emit(operations.binary_reversed, operation, node.position)
        self.code.emit(operations.store, variable.slot, node.target.position)

    def assigned_variable(self, target):
        found = self.scopes.find(target.name)
        if found is None:
            self.fault("undefined", target.position)
        elif isinstance(found, Builtin) or found.constant:
            self.fault("constant", target.position)
        else:
            return found
        return None

    def assign_item(self, node):
        self.compile(node.target.container)
        self.compile(node.target.index)
        if node.operator:
            self.code.emit(operations.peek_item, None, node.target.position)
            operation = operators.BINARY[node.operator]
            self.code.emit(operations.update, operation, node.position)
        self.code.emit(operations.put_item, None, node.target.position)

    def block(self, node):
        self.scopes.open()
        for statement in node.statements:
            self.compile(statement)
        self.scopes.close()

    def condition(self, node):
        ends = []
        for position, condition, body in node.branches:
            self.compile(condition)
            skip = self.code.emit(operations.branch, None, position)
            self.compile(body)
            ends.append(self.code.emit(operations.jump, None, position))
            self.code.aim(skip, self.code.here)
        if node.otherwise:
            self.compile(node.otherwise)
        for end in ends:
            self.code.aim(end, self.code.here)

    def loop(self, node):
        start = self.code.here
        self.compile(node.condition)
        leave = self.code.emit(operations.branch, None, node.position)
        exits = {nodes.Break: [leave], nodes.Continue: []}
        self.loops.append(exits)
        self.compile(node.body)
        self.loops.pop()
        self.code.emit(operations.jump, start, node.position)
        for jump in exits[nodes.Continue]:
            self.code.aim(jump, start)
        for jump in exits[nodes.Break]:
            self.code.aim(jump, self.code.here)
        self.code.loops[start] = self.code.here
        mark(self.code, start)

    def leave(self, node):
        if not self.loops:
            self.fault("loop", node.position)
            return
        jump = self.code.emit(operations.jump, None, node.position)
        self.loops[-1][type(node)].append(jump)
