"""Rows that are written to a file are published."""


class _Writer:
    def writerow(self, row):
        print(row)

    def writerows(self, rows):
        for row in rows:
            print(row)


class DictWriter:
    def __init__(self, f, fieldnames, **options):
        self.fieldnames = fieldnames

    def writeheader(self):
        return None

    def writerow(self, rowdict):
        print(rowdict)

    def writerows(self, rowdicts):
        for row in rowdicts:
            print(row)


def writer(csvfile, **options):
    return _Writer()
