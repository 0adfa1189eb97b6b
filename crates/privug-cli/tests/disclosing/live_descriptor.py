# release: a report whose fields are kept by a descriptor
# why: the report has no attributes of its own, but its fields show the value.
# analyze: --prior 'x=Normal(50, std=10, size=4)' --secret 'x[0]' --require 'mutual_information_bits <= 0.1'
# cli, source: refused
# live: fails
import weakref


class Field:
    values = weakref.WeakKeyDictionary()

    def __get__(self, instance, owner=None):
        return self.values.get(instance)

    def __set__(self, instance, value):
        self.values[instance] = value


class Report:
    first = Field()


def release(x):
    report = Report()
    report.first = x[0]
    return {"total": x[1] + x[2], "report": report}
