# Someone walks past four sensors. How well do their readings tell where the person is now?
#
# A Kalman filter written as a plain loop: the position moves with the velocity, each step adds a little uncertainty, and
# each sensor reads the position through noise.
#
# expect: prior mean [4, 1] variance [27.5, 2]
# expect: posterior mean [4.163674270296787, 1.0760853568800588] variance [0.19542555800833947, 0.15121412803532008]
# expect: exact mean [169753/40770, 7312/6795] variance [3187/16308, 137/906]
# expect: status used used used used
from privug import Normal, observe


def track():
    position = Normal(0, 4)
    velocity = Normal(1, 1)
    for reading in [1.2, 1.9, 3.1, 4.2]:
        velocity = Normal(velocity, 0.25)
        position = position + velocity
        observe(position, reading, std=0.5)
    return position, velocity
