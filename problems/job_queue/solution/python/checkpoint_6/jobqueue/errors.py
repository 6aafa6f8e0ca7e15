"""What a request can be refused for."""


class Refusal(Exception):
    """A request that is answered with an error and changes nothing."""

    status = 500
    code = "internal"

    def to_json(self):
        return {"error": self.code}


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


class Aborted(Refusal):
    """A transaction one of whose requests was refused."""

    status = 409
    code = "aborted"

    def __init__(self, index, cause):
        super().__init__()
        self.index = index
        self.cause = cause

    def to_json(self):
        return {"error": self.code, "index": self.index, "status": self.cause.status, "code": self.cause.code}
