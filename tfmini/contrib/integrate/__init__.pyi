from tfmini._src.contrib.integrate.odeint import odeint as odeint
from tfmini._src.contrib.integrate.odeint_fixed import odeint_fixed as odeint_fixed
