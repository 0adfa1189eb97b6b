"""The engines that hold tables: each takes a table of pyarrow, runs a query on it, and gives the answer as one."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable, List, Optional

import pyarrow
import pyarrow.csv
import pyarrow.parquet


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class DuckDb:
    dialect = "duckdb"

    def __init__(self) -> None:
        import duckdb

        self.connection = duckdb.connect()

    def load(self, table: pyarrow.Table) -> None:
        self.connection.register("given", table)
        self.connection.execute("CREATE OR REPLACE TABLE people AS SELECT * FROM given")

    def ignore_case(self, column: str) -> None:
        """Until the next table is loaded."""
        self.connection.execute(f"ALTER TABLE people ALTER {column} TYPE VARCHAR COLLATE NOCASE")

    def load_results(self, path: pathlib.Path) -> None:
        self.connection.execute(f"CREATE OR REPLACE TABLE privug_results AS SELECT * FROM read_parquet('{path}')")

    def query(self, sql: str) -> pyarrow.Table:
        return self.connection.sql(sql).to_arrow_table()

    def close(self) -> None:
        self.connection.close()


class Postgres:
    """Debian's server, in a folder of its own and on loopback only."""

    dialect = "postgres"

    def __init__(self) -> None:
        import psycopg2

        binaries = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        if not binaries:
            raise FileNotFoundError("PostgreSQL's server is not installed")
        self.binaries = binaries[-1]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="privug-postgres-"))
        port = free_port()
        if os.getuid() == 0:
            # The server refuses to run as root.
            shutil.chown(self.folder, "postgres", "postgres")
        data = str(self.folder / "data")
        self._run("initdb", "-D", data, "-U", "audit", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={self.folder} -c fsync=off"
        self._run("pg_ctl", "-D", data, "-w", "-l", str(self.folder / "log"), "-o", options, "start")
        self.connection = psycopg2.connect(host="127.0.0.1", port=port, user="audit", dbname="postgres")
        self.connection.autocommit = True

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.binaries / program), *arguments]
        if os.getuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL)

    def _load(self, name: str, table: pyarrow.Table) -> None:
        types = {"int64": "bigint", "uint64": "bigint", "bool": "boolean", "double": "double precision", "string": "text"}
        quoted = ['"' + column.replace('"', '""') + '"' for column in table.column_names]
        columns = [f"{column} {types[str(field.type)]}" for column, field in zip(quoted, table.schema)]
        with self.connection.cursor() as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {name}")
            cursor.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
            import io

            text = io.StringIO()
            for row in table.to_pylist():
                cells = [r"\N" if value is None else self._cell(value) for value in row.values()]
                text.write("\t".join(cells) + "\n")
            text.seek(0)
            cursor.copy_expert(f"COPY {name} FROM STDIN", text)

    @staticmethod
    def _cell(value: Any) -> str:
        text = repr(value) if isinstance(value, float) else str(value)
        return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")

    def load(self, table: pyarrow.Table) -> None:
        self._load("people", table)

    def ignore_case(self, column: str) -> None:
        with self.connection.cursor() as cursor:
            options = "provider = icu, locale = 'und-u-ks-level2', deterministic = false"
            cursor.execute(f"CREATE COLLATION IF NOT EXISTS without_case ({options})")
            cursor.execute(f"ALTER TABLE people ALTER {column} TYPE text COLLATE without_case")

    def load_results(self, path: pathlib.Path) -> None:
        self._load("privug_results", pyarrow.parquet.read_table(path))

    def query(self, sql: str) -> pyarrow.Table:
        with self.connection.cursor() as cursor:
            cursor.execute(sql)
            names = [column.name for column in cursor.description]
            rows = cursor.fetchall()
        return pyarrow.table({name: list(values) for name, values in zip(names, zip(*rows))})

    def close(self) -> None:
        self.connection.close()
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)


class Spark:
    """A standalone cluster with a master and two workers, on loopback."""

    dialect = "spark"

    def __init__(self) -> None:
        import pyspark
        from pyspark.sql import SparkSession

        if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
            raise FileNotFoundError("Java is not installed")
        java = next(iter(sorted(pathlib.Path("/usr/lib/jvm").glob("java-17-*"))), None)
        if java is not None:
            os.environ["JAVA_HOME"] = str(java)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="privug-spark-"))
        home = str(pathlib.Path(pyspark.__file__).parent)
        os.environ.update(
            SPARK_HOME=home,
            SPARK_LOCAL_IP="127.0.0.1",
            SPARK_LOCAL_DIRS=str(self.folder),
            PYSPARK_PYTHON=sys.executable,
            PYSPARK_DRIVER_PYTHON=sys.executable,
        )
        port = free_port()
        master = f"spark://127.0.0.1:{port}"
        self.processes: List[subprocess.Popen[bytes]] = []
        package = "org.apache.spark.deploy"
        self._start(f"{package}.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(free_port()))
        _wait_for(port)
        for worker in range(2):
            self._start(
                f"{package}.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g",
                "--webui-port", str(free_port()), "--work-dir", str(self.folder / f"worker{worker}"), master,
            )  # fmt: skip
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.executor.memory": "512m",
            "spark.driver.memory": "1g",
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.session.timeZone": "UTC",
        }
        builder = SparkSession.builder.master(master).appName("privug")
        for key, value in settings.items():
            builder = builder.config(key, value)
        try:
            self.session = builder.getOrCreate()
        except Exception:
            self._end()
            raise
        self.session.sparkContext.setLogLevel("OFF")

    def _start(self, *arguments: str) -> None:
        command = [str(pathlib.Path(os.environ["SPARK_HOME"]) / "bin" / "spark-class"), *arguments]
        log = open(self.folder / f"log{len(self.processes)}", "wb")
        self.processes.append(subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True))

    def load(self, table: pyarrow.Table) -> None:
        path = self.folder / f"people-{time.monotonic_ns()}"
        path.mkdir()
        # Several files, so that both workers have something to read.
        part = max(1, table.num_rows // 8)
        for number, start in enumerate(range(0, table.num_rows, part)):
            pyarrow.parquet.write_table(table.slice(start, part), path / f"{number}.parquet")
        self.load_folder(path)

    def load_folder(self, path: pathlib.Path) -> None:
        self.session.read.parquet(str(path)).createOrReplaceTempView("people")

    def ignore_case(self, column: str) -> None:
        table = self.session.table("people")
        table.selectExpr(
            *(f"`{name}` COLLATE UTF8_LCASE AS `{name}`" if name == column else f"`{name}`" for name in table.columns)
        ).createOrReplaceTempView("people")

    def load_results(self, path: pathlib.Path) -> None:
        self.session.read.parquet(str(path)).createOrReplaceTempView("privug_results")

    def query(self, sql: str) -> pyarrow.Table:
        path = self.folder / f"answer-{time.monotonic_ns()}"
        self.session.sql(sql).write.parquet(str(path))
        return pyarrow.parquet.read_table(path)

    def kill_a_worker(self) -> None:
        """Ends a worker and its executor at once, as if its machine was lost."""
        worker = self.processes[1]
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()

    def close(self) -> None:
        self.session.stop()
        self._end()

    def _end(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _wait_for(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise TimeoutError(f"nothing listens on port {port}")


# Spark first, so that the test which loses a worker comes last in its group, and needs no cluster of its own.
ENGINES: List[Callable[[], Any]] = [Spark, DuckDb, Postgres]


def opened(engine: Callable[[], Any]) -> Optional[Any]:
    """The engine, or nothing if this machine has none; a machine that tests for others must have it."""
    try:
        return engine()
    except (ImportError, FileNotFoundError) as error:
        if os.environ.get("CI") == "true":
            raise
        print(f"{engine.__name__}: {error}", file=sys.stderr)
        return None
