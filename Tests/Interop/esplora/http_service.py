"""HTTP on a free loopback port: connections stay open, each has a thread, one request at a time sees the chain."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LONGEST_BODY = 16_000_000


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def serve(answer, lock):
    """Starts a server.

    `answer(method, path, headers, body)` returns status, content type and body. Returns the port.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self):
            super().setup()
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def handle_any(self):
            length = int(self.headers.get("Content-Length") or 0)
            if length > LONGEST_BODY:
                self.send_error(413)
                return
            body = self.rfile.read(length)
            with lock:
                status, kind, content = answer(self.command, self.path, self.headers, body)
            head = f"HTTP/1.1 {status} {self.responses.get(status, ('',))[0]}\r\nContent-Type: {kind}\r\n"
            if status == 401:
                head += 'WWW-Authenticate: Basic realm="jsonrpc"\r\n'
            self.wfile.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)

        do_GET = do_POST = handle_any

        def log_message(self, *_):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]
