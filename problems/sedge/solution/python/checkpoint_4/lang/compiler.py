"""Compiles statements and whole programs."""

from lang import nodes, operations, operators, patterns
from lang.code import Code
from lang.expression_compiler import ExpressionCompiler
from lang.fitting import one_way
from lang.scopes import Alias, Scope, Variable
from lang.stretches import mark
from lang.unit import Loop, Unit


def plan(pattern):
    """What matching needs: the pattern, its function if it has one way, and how many pins it has."""
    return pattern, one_way(pattern), len(patterns.pins(pattern))


class Compiler(ExpressionCompiler):
    """Statements leave the stack as it was."""

    def __init__(self, module, builtins):
        super().__init__(module, builtins)
        self.hoisted = {}
        self.clashing = set()
        self.compilers |= {
            nodes.Evaluate: self.evaluate,
            nodes.Declare: self.declare,
            nodes.Use: self.use,
            nodes.Assign: self.assign,
            nodes.Block: self.block,
            nodes.If: self.condition,
            nodes.While: self.loop,
            nodes.For: self.iteration,
            nodes.Break: self.leave,
            nodes.Continue: self.leave,
            nodes.Return: self.returning,
            nodes.Fail: self.failing,
            nodes.Try: self.attempt,
            nodes.Match: self.match,
        }

    def source(self, is_main):
        """Compiles the whole module; one that is used is left like a function."""
        program = self.module.program
        code = Code(self.module.name, self.module.name, program.position, 0)
        self.unit = Unit(code, Scope(code, None, self.builtins))
        self.block(program)
        if is_main:
            self.emit(operations.halt, None, program.position)
        else:
            self.emit(operations.push, None, program.position)
            self.emit(operations.leave_function, None, program.position)
        self.module.code = code

    def block(self, node, received=()):
        """A block that begins with patterns whose values lie on the stack, the last on top."""
        entry = self.open_block(node)
        for pattern in received:
            self.load_pins(pattern)
        self.declare_names(received, node)
        for pattern in reversed(received):
            self.receive(pattern)
        self.fill_block(node, entry)

    def open_block(self, node):
        self.unit.scope.open()
        return self.emit(operations.enter_block, None, node.position)

    def declare_names(self, received, node):
        """Declares the names of patterns; notes all declarations of the block that clash."""
        taken = set()
        for pattern in received:
            self.check_choices(pattern)
            for name in patterns.names(pattern):
                if self.is_new(name, taken):
                    self.unit.scope.declare(name.name, True)
        for statement in node.statements:
            for name in self.declared(statement):
                self.is_new(name, taken)

    def declared(self, statement):
        """The names that a statement declares; what a module does not have is not declared."""
        node = nodes.declaration(statement)
        found = patterns.declared(node)
        if isinstance(node, nodes.Use) and node.module and not node.whole:
            return [name for name in found if node.module.offers(name.name)]
        return found

    def fill_block(self, node, entry):
        self.hoist(node.statements)
        for statement in node.statements:
            self.statement(statement)
        self.unit.code.aim(entry, self.unit.scope.close())

    def check_choices(self, pattern):
        for position in patterns.uneven_choices(pattern):
            self.fault("names", position)

    def load_pins(self, pattern):
        """Puts the values of the variables that a pattern compares with on the stack."""
        for index, pin in enumerate(patterns.pins(pattern)):
            pin.index = index
            self.compile(pin.variable)

    def receive(self, pattern):
        """Matches a pattern, whose names are declared, with the value below its pins."""
        if isinstance(pattern, nodes.Name):
            variable = self.unit.scope.find(pattern.name)
            self.emit(operations.define, variable.slot, pattern.position)
        else:
            self.emit(operations.match_first, plan(pattern), pattern.position)
            self.bind(pattern)

    def bind(self, pattern):
        find = self.unit.scope.find
        slots = {name.name: find(name.name).slot for name in patterns.names(pattern)}
        self.emit(operations.bind, slots, pattern.position)

    def is_new(self, node, taken):
        if node.name in taken:
            self.fault("redeclared", node.position)
            self.clashing.add(id(node))
            return False
        taken.add(node.name)
        return True

    def hoist(self, statements):
        """Functions that are declared have their values from the beginning of the block."""
        for node in map(nodes.declaration, statements):
            if isinstance(node, nodes.Function) and id(node) not in self.clashing:
                code = self.new_code(node)
                variable = self.unit.scope.declare(node.name, True)
                self.emit(operations.make_function, code, node.position)
                self.emit(operations.define, variable.slot, node.position)
                self.hoisted[id(node)] = code

    def statement(self, node):
        """Compiles a statement; declared functions have been hoisted."""
        if isinstance(node, nodes.Public):
            self.statement(node.declaration)
            self.export(node.declaration)
            return
        if isinstance(node, nodes.Function):
            code = self.hoisted.pop(id(node), None) or self.new_code(node)
            self.function_body(node, code)
        else:
            self.compile(node)

    def export(self, node):
        for name in patterns.declared(node):
            found = self.unit.scope.find(name.name)
            if isinstance(found, Variable):
                self.module.exports[name.name] = found.slot

    def use(self, node):
        if node.module:
            self.emit(operations.use, node.module, node.position)
            self.emit(operations.drop, None, node.position)
        for name in node.names:
            member = None if node.whole else name.name
            if member and node.module and not node.module.offers(member):
                self.fault("member", name.position)
            elif id(name) not in self.clashing:
                self.unit.scope.declare_alias(name.name, Alias(node.module, member))

    def evaluate(self, node):
        self.compile(node.expression)
        self.emit(operations.drop, None, node.position)

    def declare(self, node):
        self.compile(node.value)
        self.load_pins(node.pattern)
        self.check_choices(node.pattern)
        found = patterns.names(node.pattern)
        for name in found:
            if id(name) not in self.clashing:
                self.unit.scope.declare(name.name, node.constant)
        if self.clashing.isdisjoint(map(id, found)):
            self.receive(node.pattern)

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
            self.variable(node.target, variable)
            operation = operators.BINARY[node.operator]
            self.emit(operations.binary_reversed, operation, node.position)
        assign = operations.assign_captured if variable.captured else operations.define
        self.emit(assign, variable.slot, node.target.position)

    def assigned_variable(self, target):
        found = self.unit.scope.find(target.name)
        if found is None:
            self.fault("undefined", target.position)
        elif isinstance(found, Alias) and found.member is None:
            self.fault("module", target.position)
        elif not isinstance(found, Variable) or found.constant:
            self.fault("constant", target.position)
        else:
            return found
        return None

    def assign_item(self, node):
        alias = self.used_module(node.target)
        if alias:
            self.assign_member(alias, node.target)
            return
        self.compile(node.target.container)
        if isinstance(node.target, nodes.Member):
            self.emit(operations.check_map, None, node.target.position)
        self.compile(node.target.index)
        if node.operator:
            self.emit(operations.peek_item, None, node.target.position)
            operation = operators.BINARY[node.operator]
            self.emit(operations.update, operation, node.position)
        self.emit(operations.put_item, None, node.target.position)

    def assign_member(self, alias, target):
        """What a module offers can only be assigned to in the module."""
        name = target.index
        known = alias.module is None or alias.module.offers(name.value)
        self.fault("constant" if known else "member", name.position)

    def condition(self, node):
        ends = []
        for position, condition, body in node.branches:
            self.compile(condition)
            skip = self.emit(operations.branch, None, position)
            self.block(body)
            ends.append(self.emit(operations.jump, None, position))
            self.aim_here(skip)
        if node.otherwise:
            self.block(node.otherwise)
        for end in ends:
            self.aim_here(end)

    def loop(self, node):
        start = self.unit.code.here
        self.compile(node.condition)
        exit_jump = self.emit(operations.branch, None, node.position)
        loop = self.open_loop(start, 0)
        self.block(node.body)
        self.close_loop(loop, exit_jump, node)

    def iteration(self, node):
        self.compile(node.sequence)
        self.emit(operations.iterate, None, node.position)
        start = self.emit(operations.advance, None, node.position)
        loop = self.open_loop(start, 1)
        self.unit.height += 1
        self.block(node.body, [node.pattern])
        self.unit.height -= 1
        self.close_loop(loop, start, node)

    def open_loop(self, start, iterations):
        loop = Loop(start, self.unit.handlers, self.unit.height, iterations)
        self.unit.loops.append(loop)
        return loop

    def close_loop(self, loop, exit_jump, node):
        self.unit.loops.pop()
        self.emit(operations.jump, loop.start, node.position)
        for jump in [exit_jump, *loop.jumps]:
            self.aim_here(jump)
        end = self.unit.code.here
        for leaving in loop.breaks:
            leaving.target = end
        self.unit.code.loops[loop.start] = end
        mark(self.unit.code, loop.start)

    def leave(self, node):
        if not self.unit.loops:
            self.fault("loop", node.position)
            return
        loop = self.unit.loops[-1]
        is_break = isinstance(node, nodes.Break)
        if self.unit.handlers > loop.handlers:
            leaving = loop.end() if is_break else loop.again()
            self.emit(operations.leave, leaving, node.position)
        else:
            self.leave_by_jump(loop, is_break, node.position)

    def leave_by_jump(self, loop, is_break, position):
        kept = loop.height if is_break else loop.height + loop.iterations
        for _ in range(self.unit.height - kept):
            self.emit(operations.drop, None, position)
        jump = self.emit(operations.jump, loop.start, position)
        if is_break:
            loop.jumps.append(jump)

    def returning(self, node):
        if self.unit.scope.parent is None:
            self.fault("return", node.position)
        if isinstance(node.value, nodes.Call) and not self.unit.tries:
            self.compile_call(node.value, operations.tail_call)
        else:
            self.compile(node.value)
        self.emit(operations.leave_function, None, node.position)

    def failing(self, node):
        self.compile(node.value)
        self.emit(operations.fail, None, node.position)

    def attempt(self, node):
        self.unit.tries += 1
        if node.cleanup:
            self.with_cleanup(node)
        else:
            self.with_rescue(node)
        self.unit.tries -= 1

    def with_cleanup(self, node):
        handler = self.begin_handler(operations.begin_finally, node)
        if node.rescue:
            self.with_rescue(node)
        else:
            self.block(node.body)
        self.end_handler(node)
        self.emit(operations.nothing_interrupted, None, node.position)
        self.aim_here(handler)
        self.unit.height += 1
        self.block(node.cleanup)
        self.unit.height -= 1
        self.emit(operations.end_finally, None, node.position)

    def with_rescue(self, node):
        handler = self.begin_handler(operations.begin_catch, node)
        self.block(node.body)
        self.end_handler(node)
        end = self.emit(operations.jump, None, node.position)
        self.aim_here(handler)
        self.block(node.rescue, [node.variable])
        self.aim_here(end)

    def begin_handler(self, operation, node):
        self.unit.handlers += 1
        return self.emit(operation, None, node.position)

    def end_handler(self, node):
        self.unit.handlers -= 1
        self.emit(operations.end_handler, None, node.position)

    def match(self, node):
        self.compile(node.subject)
        self.unit.height += 1
        ends = [self.case(case) for case in node.cases]
        self.unit.height -= 1
        if node.otherwise:
            self.emit(operations.drop, None, node.position)
            self.block(node.otherwise)
        else:
            self.emit(operations.no_match, None, node.position)
        for end in ends:
            self.aim_here(end)

    def case(self, case):
        """Each way of matching has new variables; the jump that it returns leads to the end."""
        position = case.pattern.position
        self.load_pins(case.pattern)
        self.emit(operations.begin_match, plan(case.pattern), position)
        start = self.emit(operations.next_way, None, position)
        entry = self.open_block(case.body)
        self.declare_names([case.pattern], case.body)
        self.bind(case.pattern)
        if case.guard:
            self.guard(case.guard, start)
        self.emit(operations.drop, None, position)
        self.emit(operations.drop, None, position)
        self.unit.height -= 1
        self.fill_block(case.body, entry)
        self.unit.height += 1
        end = self.emit(operations.jump, None, position)
        self.aim_here(start)
        return end

    def guard(self, guard, start):
        position, condition = guard
        self.compile(condition)
        skip = self.emit(operations.branch, None, position)
        self.unit.code.aim(skip, start)
