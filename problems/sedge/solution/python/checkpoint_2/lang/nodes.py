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
    __slots__ = ("name", "value", "constant")

    def __init__(self, position, name, value, constant):
        super().__init__(position)
        self.name = name
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
    __slots__ = ("variable", "sequence", "body")

    def __init__(self, position, variable, sequence, body):
        super().__init__(position)
        self.variable = variable
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


class Break(Node):
    __slots__ = ()


class Continue(Node):
    __slots__ = ()
