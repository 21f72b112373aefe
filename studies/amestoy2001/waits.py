"""What ranks wait for, from the events of a trace."""
import collections


def waits_of(events, eager_bytes):
    """Seconds of all ranks: computing; waiting for the work that makes the message that ends a wait, and for that message on its way,
    longer than eager_bytes or not."""
    events = [{**event, "begin": float(event["begin_s"]), "end": float(event["end_s"])} for event in events]
    sends, received = collections.defaultdict(list), collections.defaultdict(list)
    for event in sorted(events, key=lambda e: e["begin"]):
        if event["what"] == "send":
            sends[event["rank"], event["peer"], event["kind"], event["bytes"]].append(event["begin"])
    for event in sorted(events, key=lambda e: e["end"]):
        if event["what"] == "receive":
            sent = sends[event["peer"], event["rank"], event["kind"], event["bytes"]]
            received[event["rank"]].append((event["end"], sent.pop(0), float(event["bytes"]) > eager_bytes))
    found = dict.fromkeys(["compute", "work", "long", "short", "other"], 0.0)
    for event in events:
        length = event["end"] - event["begin"]
        if event["what"] in ("compute", "pack"):
            found["compute"] += length
        if event["what"] != "wait":
            continue
        ended_by = [times for times in received[event["rank"]] if event["begin"] <= times[0] <= event["end"] + 1e-5]
        if not ended_by:
            found["other"] += length
            continue
        _, sent, is_long = max(ended_by)
        way = min(length, max(0.0, event["end"] - max(event["begin"], sent)))
        found["long" if is_long else "short"] += way
        found["work"] += length - way
    return found
