"""Facts read off a program without changing it: symbolic shapes, who owns an array."""
