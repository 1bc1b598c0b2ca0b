"""E-mails through a mail server that the server knows nothing of: aiosmtpd."""

import email
import email.policy
import os
import queue
import re
import socket
import subprocess

import pytest
import requests
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

USER, PASSWORD = "monotable", "correct horse & battery"


class Inbox:
    """Keeps the e-mails that arrive; nobody is called nobody."""

    def __init__(self):
        self.messages = queue.Queue()

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 5.1.1 No such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.messages.put((envelope, message))
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    known = isinstance(data, LoginPassword) and data == LoginPassword(USER.encode(), PASSWORD.encode())
    return AuthResult(success=known, handled=False)


@pytest.fixture
def inbox():
    inbox = Inbox()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        inbox.port = probe.getsockname()[1]
    controller = Controller(
        inbox,
        hostname="127.0.0.1",
        port=inbox.port,
        ready_timeout=60,
        authenticator=authenticate,
        auth_require_tls=False,
        auth_required=True,
    )
    controller.start()
    yield inbox
    controller.stop()


@pytest.fixture
def serve(inbox, tmp_path):
    """Starts a server that sends its e-mails to the inbox, and returns the address of HackTracker."""
    running = []

    def start(password):
        file = tmp_path / "password"
        file.write_text(password + "\n")
        arguments = ["serve", "--memory", "--listen", "127.0.0.1:0", "--services", "hacktracker", "--quiet"]
        arguments += ["--smtp", f"smtp://{USER}@127.0.0.1:{inbox.port}", "--smtp-password-file", str(file)]
        arguments += ["--mail-from", "Jürgen's league <league@example.org>"]
        server = subprocess.Popen([os.environ["MONOTABLE_PROGRAM"], *arguments], stdout=subprocess.PIPE, text=True)
        running.append(server)
        url = server.stdout.readline().split()[-1]
        for line in server.stdout:
            if "Ctrl-C" in line:
                break
        return f"{url.rstrip('/')}/hacktracker"

    yield start
    for server in running:
        server.kill()
        server.wait()


def ask_for_link(service, address):
    headers = {"sec-fetch-site": "same-origin"}
    return requests.post(f"{service}/sign-in", data={"email": address}, headers=headers, timeout=40)


def test_a_link_by_e_mail_signs_in(serve, inbox):
    service = serve(PASSWORD)
    sent = ask_for_link(service, "ann@example.org")
    assert sent.ok, sent.text
    envelope, message = inbox.messages.get(timeout=20)
    assert (envelope.mail_from, envelope.rcpt_tos) == ("league@example.org", ["ann@example.org"])
    assert message["from"] == "Jürgen's league <league@example.org>"
    assert message["subject"] == "Sign in to HackTracker"
    assert message["message-id"].endswith("@example.org>") and message["date"]
    link = re.search(r"http://\S+", message.get_content())[0]
    assert "Sign in" in requests.get(link, timeout=20).text
    headers = {"sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded"}
    used = requests.post(link, headers=headers, allow_redirects=False, timeout=20)
    assert used.status_code == 303 and "session" in used.headers["set-cookie"]


def test_an_address_that_the_mail_server_does_not_know_is_refused(serve, inbox):
    refused = ask_for_link(serve(PASSWORD), "nobody@example.org")
    assert refused.status_code == 400 and "refused the address" in refused.text, refused.text


def test_a_wrong_password_is_not_the_fault_of_the_person(serve, inbox):
    refused = ask_for_link(serve("wrong"), "ann@example.org")
    assert refused.status_code == 503 and "Try again" in refused.text, refused.text
    assert PASSWORD not in refused.text and inbox.messages.empty()
