"""Photos of ScavengerHunt in a bucket with S3's API: moto, which the server knows nothing of."""

import os
import subprocess

import boto3
import pytest
import requests
from moto.server import ThreadedMotoServer

BUCKET, PREFIX = "photos", "hunts"
KEY = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}


@pytest.fixture
def bucket():
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    session = boto3.Session("key", "secret", region_name="us-east-1")
    bucket = session.resource("s3", endpoint_url=url).Bucket(BUCKET)
    bucket.create()
    bucket.url = url
    yield bucket
    server.stop()


@pytest.fixture
def hunt(bucket):
    """A server whose sample data is loaded: its address, and the tokens of players by their names."""
    blobs = f"s3://{BUCKET}/{PREFIX}?region=us-east-1&endpoint={bucket.url}"
    arguments = ["serve", "--memory", "--listen", "127.0.0.1:0", "--services", "scavenger-hunt", "--demo"]
    program = os.environ["MONOTABLE_PROGRAM"]
    server = subprocess.Popen(
        [program, *arguments, "--quiet", "--blobs", blobs],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **KEY},
    )
    url, tokens = server.stdout.readline().split()[-1].rstrip("/"), {}
    for line in server.stdout:
        if "=" in line and line.strip().startswith("export "):
            name, token = line.split()[1].split("=", 1)
            tokens[name] = token
        if "Ctrl-C" in line:
            break
    yield url, tokens
    server.terminate()
    server.wait()


def test_photos_are_in_the_bucket_until_their_player_leaves(bucket, hunt):
    url, tokens = hunt

    def call(method, path, name):
        headers = {"Authorization": f"Bearer {tokens[name]}"}
        response = requests.request(method, f"{url}/scavenger-hunt/api/{path}", headers=headers)
        response.raise_for_status()
        return response

    def keys():
        return {item.key for item in bucket.objects.all()}

    photos = {name: call("GET", "photos", name).json()["photos"] for name in ("MILO", "PIA")}
    assert (len(photos["MILO"]), len(photos["PIA"])) == (2, 1)
    stored = keys()
    assert len(stored) == 3
    assert all(key.startswith(f"{PREFIX}/scavenger-hunt/") for key in stored)
    for photo in photos["MILO"]:
        [key] = [key for key in stored if photo["id"] in key]
        shown = requests.get(url + photo["url"])
        assert shown.headers["Content-Type"] == "image/gif"
        assert shown.content == bucket.Object(key).get()["Body"].read()
    call("DELETE", "me", "PIA")
    [photo] = photos["PIA"]
    assert keys() == {key for key in stored if photo["id"] not in key}
    assert requests.get(url + photo["url"]).status_code == 404
