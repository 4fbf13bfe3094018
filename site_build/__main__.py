"""`python -m site_build` and the command `k3`."""

from site_build.cli import app


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
