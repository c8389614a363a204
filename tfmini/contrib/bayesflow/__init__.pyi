from tfmini.contrib.bayesflow import monte_carlo as monte_carlo
