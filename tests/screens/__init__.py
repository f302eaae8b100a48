"""Every screen of Kupa, written down once: `catalogue.py`. Pictures and tests are both made from it."""
