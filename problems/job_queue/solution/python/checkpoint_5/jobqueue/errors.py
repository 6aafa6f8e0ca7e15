"""What a request can be refused for."""


class Refusal(Exception):
    """A request that is answered with an error and changes nothing."""

    status = 500
    code = "internal"


class BadRequest(Refusal):
    status = 400
    code = "bad_request"


class NotFound(Refusal):
    status = 404
    code = "not_found"


class MethodNotAllowed(Refusal):
    status = 405
    code = "method_not_allowed"


class Conflict(Refusal):
    status = 409
    code = "conflict"


class KeyReused(Refusal):
    status = 422
    code = "key_reused"


class UnknownJob(Refusal):
    status = 422
    code = "unknown_job"


class Cycle(Refusal):
    status = 422
    code = "cycle"
