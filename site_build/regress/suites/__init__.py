"""What a browser has to find right on a site, by suite; each module gives the cases of one."""
