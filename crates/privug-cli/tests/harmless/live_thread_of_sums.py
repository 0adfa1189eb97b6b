# release: a mean of forty, computed in a thread
# why: where it is computed does not matter.
# analyze: --prior 'x=Normal(50, std=10, size=40)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# live: passes
import threading


def release(x):
    found = []
    thread = threading.Thread(target=lambda: found.append(sum(x) / len(x)))
    thread.start()
    thread.join()
    return found
