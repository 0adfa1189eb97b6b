# release: the totals of people by a matrix given as a numpy array, whose rows differ by one person
# why: the difference of the two totals is that person.
# python: x=privug.Normal(50, std=10, size=4), rows=np.array([[1, 1, 1, 1], [0, 1, 1, 1]]), secret="x[0]",
#   require="mutual_information_bits <= 0.1"
# source, live: fails
def release(x, rows):
    return rows @ x
