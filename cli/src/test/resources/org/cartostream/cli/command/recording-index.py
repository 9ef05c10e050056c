# Reads a recording's summary and index by the format's own library: recording-index.py RUN_MCAP
import sys

from mcap.reader import make_reader

with open(sys.argv[1], "rb") as file:
    reader = make_reader(file)
    statistics = reader.get_summary().statistics
    read = sum(1 for _ in reader.iter_messages())
    middle = (statistics.message_start_time + statistics.message_end_time) // 2
    late = [message.log_time for _, _, message in reader.iter_messages(starting_at=middle)]
    print("counted", statistics.message_count, "read", read)
    print("from the middle", 0 < len(late) < read and min(late) >= middle)
