"""`heapq`: a list whose element i is not greater than those at 2i + 1 and 2i + 2, in the places where Python puts them."""


def _raise(heap, start, place):
    item = heap[place]
    while place > start:
        above = (place - 1) // 2
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def _settle(heap, start):
    # The hole goes down to the end, along the smaller ones; the item is raised from there.
    count = len(heap)
    item = heap[start]
    place = start
    below = 2 * place + 1
    while below < count:
        if below + 1 < count and not heap[below] < heap[below + 1]:
            below = below + 1
        heap[place] = heap[below]
        place = below
        below = 2 * place + 1
    heap[place] = item
    _raise(heap, start, place)


def heappush(heap, item):
    heap.append(item)
    _raise(heap, 0, len(heap) - 1)


def heappop(heap):
    last = heap.pop()
    if len(heap) == 0:
        return last
    first = heap[0]
    heap[0] = last
    _settle(heap, 0)
    return first


def heapreplace(heap, item):
    first = heap[0]
    heap[0] = item
    _settle(heap, 0)
    return first


def heappushpop(heap, item):
    if len(heap) > 0 and heap[0] < item:
        return heapreplace(heap, item)
    return item


def heapify(heap):
    for place in reversed(range(len(heap) // 2)):
        _settle(heap, place)


def nsmallest(n, iterable, key=None):
    return sorted(iterable)[:n] if key is None else sorted(iterable, key=key)[:n]


def nlargest(n, iterable, key=None):
    return sorted(iterable, reverse=True)[:n] if key is None else sorted(iterable, key=key, reverse=True)[:n]
