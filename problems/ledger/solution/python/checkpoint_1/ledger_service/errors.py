"""What a request can be refused for."""


class Refusal(Exception):
    """A request that is answered with an error and changes nothing."""

    status = 500
    code = "internal"

    def __init__(self, **details):
        super().__init__(self.code)
        self.details = details

    def to_json(self):
        return {"error": self.code, **self.details}


class NotFound(Refusal):
    status = 404
    code = "not_found"


class MethodNotAllowed(Refusal):
    status = 405
    code = "method_not_allowed"


class BadKey(Refusal):
    status = 400
    code = "bad_key"


class BadRequest(Refusal):
    status = 400
    code = "bad_request"


class KeyReused(Refusal):
    status = 422
    code = "key_reused"


class OutOfOrder(Refusal):
    status = 409
    code = "out_of_order"


class Exists(Refusal):
    status = 409
    code = "exists"


class UnknownAccount(Refusal):
    status = 422
    code = "unknown_account"


class Unbalanced(Refusal):
    status = 422
    code = "unbalanced"


class Insufficient(Refusal):
    status = 422
    code = "insufficient"
