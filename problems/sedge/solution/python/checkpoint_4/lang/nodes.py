"""The syntax tree. Each node's position is where its errors are reported."""


class Node:
    __slots__ = ("position",)

    def __init__(self, position):
        self.position = position


class Literal(Node):
    __slots__ = ("value",)

    def __init__(self, position, value):
        super().__init__(position)
        self.value = value


class Insertions(Node):
    """A text that is put together when it is evaluated."""

    __slots__ = ("parts",)

    def __init__(self, position, parts):
        super().__init__(position)
        self.parts = parts


class Name(Node):
    __slots__ = ("name",)

    def __init__(self, position, name):
        super().__init__(position)
        self.name = name


class ListDisplay(Node):
    __slots__ = ("items",)

    def __init__(self, position, items):
        super().__init__(position)
        self.items = items


class MapDisplay(Node):
    __slots__ = ("entries",)

    def __init__(self, position, entries):
        super().__init__(position)
        self.entries = entries


class Unary(Node):
    __slots__ = ("operator", "operand")

    def __init__(self, position, operator, operand):
        super().__init__(position)
        self.operator = operator
        self.operand = operand


class Binary(Node):
    __slots__ = ("operator", "left", "right")

    def __init__(self, position, operator, left, right):
        super().__init__(position)
        self.operator = operator
        self.left = left
        self.right = right


class Shortcut(Node):
    """`and` or `or`: the right operand may not be evaluated."""

    __slots__ = ("operator", "left", "right")

    def __init__(self, position, operator, left, right):
        super().__init__(position)
        self.operator = operator
        self.left = left
        self.right = right


class Index(Node):
    __slots__ = ("container", "index")

    def __init__(self, position, container, index):
        super().__init__(position)
        self.container = container
        self.index = index


class Member(Index):
    """An item of a map, and of nothing else."""


class Call(Node):
    __slots__ = ("callee", "arguments")

    def __init__(self, position, callee, arguments):
        super().__init__(position)
        self.callee = callee
        self.arguments = arguments


class Function(Node):
    """The position is that of the name, if there is one."""

    __slots__ = ("name", "parameters", "body")

    def __init__(self, position, name, parameters, body):
        super().__init__(position)
        self.name = name
        self.parameters = parameters
        self.body = body


class Evaluate(Node):
    """An expression as a statement."""

    __slots__ = ("expression",)

    def __init__(self, position, expression):
        super().__init__(position)
        self.expression = expression


class Declare(Node):
    __slots__ = ("pattern", "value", "constant")

    def __init__(self, position, pattern, value, constant):
        super().__init__(position)
        self.pattern = pattern
        self.value = value
        self.constant = constant


class Assign(Node):
    """`operator` is empty, or what stands before the `=`."""

    __slots__ = ("target", "operator", "value")

    def __init__(self, position, target, operator, value):
        super().__init__(position)
        self.target = target
        self.operator = operator
        self.value = value


class Use(Node):
    """Names the module as a whole, or some of what it offers; `module` is found later."""

    __slots__ = ("path", "path_position", "names", "whole", "module")

    def __init__(self, position, path, path_position, names, whole, module=None):
        super().__init__(position)
        self.path = path
        self.path_position = path_position
        self.names = names
        self.whole = whole
        self.module = module


class Public(Node):
    __slots__ = ("declaration",)

    def __init__(self, position, declaration):
        super().__init__(position)
        self.declaration = declaration


def declaration(statement):
    """What a public declaration declares; other statements are what they are."""
    return statement.declaration if isinstance(statement, Public) else statement


class Block(Node):
    __slots__ = ("statements",)

    def __init__(self, position, statements):
        super().__init__(position)
        self.statements = statements


class If(Node):
    """The branches in order, each with its condition, and what is done else."""

    __slots__ = ("branches", "otherwise")

    def __init__(self, position, branches, otherwise):
        super().__init__(position)
        self.branches = branches
        self.otherwise = otherwise


class While(Node):
    __slots__ = ("condition", "body")

    def __init__(self, position, condition, body):
        super().__init__(position)
        self.condition = condition
        self.body = body


class For(Node):
    __slots__ = ("pattern", "sequence", "body")

    def __init__(self, position, pattern, sequence, body):
        super().__init__(position)
        self.pattern = pattern
        self.sequence = sequence
        self.body = body


class Return(Node):
    __slots__ = ("value",)

    def __init__(self, position, value):
        super().__init__(position)
        self.value = value


class Fail(Node):
    __slots__ = ("value",)

    def __init__(self, position, value):
        super().__init__(position)
        self.value = value


class Try(Node):
    """`variable` is None if there is no `catch`."""

    __slots__ = ("body", "variable", "rescue", "cleanup")

    def __init__(self, position, body, variable, rescue, cleanup):
        super().__init__(position)
        self.body = body
        self.variable = variable
        self.rescue = rescue
        self.cleanup = cleanup


class Case:
    """One case of a `match`; the guard, if there is one, with the place of its `if`."""

    __slots__ = ("pattern", "guard", "body")

    def __init__(self, pattern, guard, body):
        self.pattern = pattern
        self.guard = guard
        self.body = body


class Match(Node):
    __slots__ = ("subject", "cases", "otherwise")

    def __init__(self, position, subject, cases, otherwise):
        super().__init__(position)
        self.subject = subject
        self.cases = cases
        self.otherwise = otherwise


class Break(Node):
    __slots__ = ()


class Continue(Node):
    __slots__ = ()


# Patterns. A `Name` and a `Literal` can be patterns as well.


class Anything(Node):
    __slots__ = ()


class Pin(Node):
    """The value of a variable; the index is that among all pins of the pattern."""

    __slots__ = ("variable", "index")

    def __init__(self, position, variable, index):
        super().__init__(position)
        self.variable = variable
        self.index = index


class Rest(Node):
    """Any number of items. `behind` counts the patterns of one item each that follow it."""

    __slots__ = ("pattern", "behind", "is_last")

    def __init__(self, position, pattern, behind=0, is_last=True):
        super().__init__(position)
        self.pattern = pattern
        self.behind = behind
        self.is_last = is_last


class ListPattern(Node):
    __slots__ = ("items",)

    def __init__(self, position, items):
        super().__init__(position)
        self.items = items

    def singles(self):
        return sum(1 for item in self.items if not isinstance(item, Rest))

    def has_rest(self):
        return any(isinstance(item, Rest) for item in self.items)


class MapPattern(Node):
    __slots__ = ("entries",)

    def __init__(self, position, entries):
        super().__init__(position)
        self.entries = entries


class Choice(Node):
    """`bars` are the places of what stands between the options."""

    __slots__ = ("options", "bars")

    def __init__(self, position, options, bars):
        super().__init__(position)
        self.options = options
        self.bars = bars
