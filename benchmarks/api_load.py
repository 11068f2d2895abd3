"""What one client does in the load test of `api_throughput.py`: reads the catalogue as an integrator polls it."""

from locust import FastHttpUser, between, task

ADDRESS = "/api/v1/accelerators?limit=50"


class Integrator(FastHttpUser):
    """Reads a page of fifty, remembers its ETag, and asks again with it."""

    wait_time = between(0.25, 0.75)
    etag = ""

    @task(1)
    def read(self) -> None:
        self.etag = self.client.get(ADDRESS, name="full").headers.get("ETag", "")

    @task(4)
    def read_again(self) -> None:
        with self.client.get(
            ADDRESS, headers={"If-None-Match": self.etag} if self.etag else {}, name="cached", catch_response=True
        ) as answer:
            if answer.status_code in (200, 304):
                answer.success()
