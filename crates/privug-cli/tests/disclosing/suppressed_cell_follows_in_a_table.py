# release: salaries by department and in total, without the department of one person
# why: the total less all other departments is that person.
# audit: --table staff=../tables/staff.csv --secret staff.salary --person name --prior 'Normal(mean=60_000,
#   std=12_000)' --suppress 'by department[laboratory]' --suppress 'by department[archive]'
# verdict: fails
def release(staff):
    return {
        "by department": staff.groupby("department").salary.sum(),
        "total": staff[staff.department != "archive"].salary.sum(),
    }
