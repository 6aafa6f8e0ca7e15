"""Whether accounts can bear what a request does to them."""

from collections import Counter, defaultdict

from ledger_service.errors import Insufficient


class Impact:
    """What a request changes, all taken together; accounts are in the order in which it names them."""

    def __init__(self):
        self.available = Counter()
        self.balances = defaultdict(Counter)

    def post(self, entries, effective):
        for entry in entries:
            self.move(entry.account, effective, entry.effect())

    def cancel(self, entries, effective):
        for entry in entries:
            self.move(entry.account, effective, -entry.effect())

    def move(self, account, effective, change):
        self.available[account] += change
        self.balances[account][effective] += change

    def reserve(self, hold, amount):
        for entry in hold.entries(amount):
            if hold.reserves_on(entry.account):
                self.available[entry.account] -= amount

    def require_funds(self, at):
        """Refuse changes that would overdraw an account, now or in the past."""
        for account, change in self.available.items():
            if account.is_overdrawn_by(change, at) or account.is_overdrawn_in_past_by(self.balances[account]):
                raise Insufficient(account=account.name)
