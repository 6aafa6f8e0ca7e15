"""Compiles expressions and finds what is wrong with their names."""

from lang import nodes, operations, operators
from lang.code import Code
from lang.errors import StaticError
from lang.scopes import Alias, Scope, Variable
from lang.stretches import mark
from lang.unit import Unit
from lang.values import Builtin


class ExpressionCompiler:
    """Static errors are collected in the module, so that all can be reported."""

    def __init__(self, module, builtins):
        self.module = module
        self.builtins = builtins
        self.unit = None
        self.compilers = {
            nodes.Literal: self.literal,
            nodes.Insertions: self.insertions,
            nodes.Name: self.name,
            nodes.ListDisplay: self.list_display,
            nodes.Function: self.function,
            nodes.Unary: self.unary,
            nodes.Binary: self.binary,
            nodes.Shortcut: self.shortcut,
            nodes.Index: self.index,
            nodes.Member: self.member,
            nodes.MapDisplay: self.map_display,
            nodes.Call: self.call,
        }

        self.readers = {
            type(None): self.undefined,
            Builtin: self.builtin,
            Variable: self.variable,
            Alias: self.alias,
        }

    def compile(self, node):
        """Compiles an expression, which leaves one value on the stack, or a statement."""
        self.compilers[type(node)](node)

    def emit(self, operation, argument, position):
        return self.unit.code.emit(operation, argument, position)

    def aim_here(self, index):
        self.unit.code.aim(index, self.unit.code.here)

    def fault(self, code, position):
        self.module.errors.append(StaticError(code, position))

    def literal(self, node):
        self.emit(operations.push, node.value, node.position)

    def insertions(self, node):
        for part in node.parts:
            self.compile(part)
        self.emit(operations.make_text, len(node.parts), node.position)

    def name(self, node):
        found = self.unit.scope.find(node.name)
        self.readers[type(found)](node, found)

    def undefined(self, node, _):
        self.fault("undefined", node.position)

    def builtin(self, node, found):
        self.emit(operations.push, found, node.position)

    def variable(self, node, found):
        load = operations.load_captured if found.captured else operations.load
        self.emit(load, found.slot, node.position)

    def alias(self, node, found):
        if found.member is None:
            self.fault("module", node.position)
        else:
            self.module_member(found.module, found.member, node.position)

    def module_member(self, module, name, position):
        """Reads what a module offers; of a module with faults nothing is known."""
        if module is None:
            return
        origin = module.origin(name)
        if origin is None:
            self.fault("member", position)
        self.emit(operations.load_member, (origin, name), position)

    def used_module(self, node):
        """The alias, if a member is one of a whole module."""
        if not (isinstance(node, nodes.Member) and isinstance(node.container, nodes.Name)):
            return None
        found = self.unit.scope.find(node.container.name)
        return found if isinstance(found, Alias) and found.member is None else None

    def list_display(self, node):
        for item in node.items:
            self.compile(item)
        self.emit(operations.make_list, len(node.items), node.position)

    def unary(self, node):
        self.compile(node.operand)
        self.emit(operations.unary, operators.UNARY[node.operator], node.position)

    def binary(self, node):
        self.compile(node.left)
        self.compile(node.right)
        self.emit(operations.binary, operators.BINARY[node.operator], node.position)

    def shortcut(self, node):
        self.compile(node.left)
        is_or = node.operator == "or"
        skip = operations.jump_if_true if is_or else operations.jump_if_false
        jump = self.emit(skip, None, node.position)
        self.emit(operations.drop, None, node.position)
        self.compile(node.right)
        self.emit(operations.check_boolean, None, node.position)
        self.aim_here(jump)

    def index(self, node):
        self.compile(node.container)
        self.compile(node.index)
        self.emit(operations.get_item, None, node.position)

    def member(self, node):
        alias = self.used_module(node)
        if alias:
            self.module_member(alias.module, node.index.value, node.index.position)
        else:
            self.map_member(node)

    def map_member(self, node):
        self.compile(node.container)
        self.emit(operations.check_map, None, node.position)
        self.compile(node.index)
        self.emit(operations.get_item, None, node.position)

    def map_display(self, node):
        for key, value in node.entries:
            self.compile(key)
            self.compile(value)
        self.emit(operations.make_map, len(node.entries), node.position)

    def call(self, node):
        self.compile_call(node, operations.call)

    def compile_call(self, node, operation):
        self.compile(node.callee)
        for argument in node.arguments:
            self.compile(argument)
        self.emit(operation, len(node.arguments), node.position)

    def function(self, node):
        code = self.new_code(node)
        self.emit(operations.make_function, code, node.position)
        self.function_body(node, code)

    def new_code(self, node):
        return Code(self.module.name, node.name, node.position, len(node.parameters))

    def function_body(self, node, code):
        outer = self.unit
        self.unit = Unit(code, Scope(code, outer.scope, self.builtins))
        self.block(node.body, node.parameters)
        self.emit(operations.push, None, node.position)
        self.emit(operations.leave_function, None, node.position)
        mark(code, 0)
        self.unit = outer
