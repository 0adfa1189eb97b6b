# release: whether one person's value is large, found out in a thread
# why: the remark tells whether it is above 70.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source, live: refused
import threading


def release(x):
    large = [0]

    def look():
        if x[0] > 70:
            large[0] = 1

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    return {"total": x[1] + x[2], "large": large[0]}
