"""A differencing attack: two harmless means of a department disclose the salary of its head.

    privug audit department.py --table staff=department.csv --secret staff.salary --person name \\
        --prior 'Normal(mean=60_000, std=15_000)'
"""


def release(staff):
    sales = staff[staff.department == "sales"]
    return {
        "by department": staff.groupby("department").salary.mean(),
        "sales without its head": sales[sales.role != "head"].salary.mean(),
    }
