"""`tensorflow.python.keras`: what libraries take from inside it."""
