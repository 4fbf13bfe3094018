"""Commands that look at a built site with a browser; each is a module to run."""
