"""A Bitcoin node's JSON-RPC, many calls at a time."""

import base64
import http.client
import json
from decimal import Decimal


class Refusal(Exception):
    """The node says no, with its code and reason."""

    def __init__(self, code, reason):
        super().__init__(reason)
        self.code, self.reason = code, reason


class Node:
    def __init__(self, port, cookie_file):
        self.port, self.cookie_file = port, cookie_file

    def call(self, method, *parameters):
        answer = self.calls([(method, parameters)])[0]
        if isinstance(answer, Refusal):
            raise answer
        return answer

    def calls(self, calls):
        """The results in order, a `Refusal` where the node says no."""
        if not calls:
            return []
        with open(self.cookie_file, encoding="ascii") as file:
            authorization = "Basic " + base64.b64encode(file.read().encode()).decode()
        body = json.dumps([{"method": m, "params": list(p), "id": i} for i, (m, p) in enumerate(calls)])
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("POST", "/", body, {"Authorization": authorization})
            answers = json.loads(connection.getresponse().read(), parse_float=Decimal)
        finally:
            connection.close()
        results = []
        for answer in sorted(answers, key=lambda a: a["id"]):
            error = answer["error"]
            results.append(answer["result"] if error is None else Refusal(error["code"], error["message"]))
        return results
