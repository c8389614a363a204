"""Points and weights in place of an integral, and the distribution that is made of them."""
