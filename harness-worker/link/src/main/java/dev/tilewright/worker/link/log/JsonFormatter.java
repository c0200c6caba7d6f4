package dev.tilewright.worker.link.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A record as one line of JSON, with the names that the service's log has. */
public final class JsonFormatter extends Formatter {

    @Override
    public String format(LogRecord entry) {
        ObjectNode line = JsonMapper.shared().createObjectNode();
        line.put("@timestamp", entry.getInstant().toString());
        line.put("level", level(entry.getLevel()));
        line.put("logger_name", entry.getLoggerName());
        line.put("thread_name", Thread.currentThread().getName());
        line.put("message", formatMessage(entry));
        LogIds.current().forEach(line::put);
        if (entry.getThrown() != null) {
            StringWriter trace = new StringWriter();
            entry.getThrown().printStackTrace(new PrintWriter(trace));
            line.put("stack_trace", trace.toString());
        }
        return line + "\n";
    }

    /** Levels have the names of SLF4J, as in the service. */
    private static String level(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue()) {
            return "ERROR";
        }
        if (value >= Level.WARNING.intValue()) {
            return "WARN";
        }
        return value >= Level.INFO.intValue() ? "INFO" : "DEBUG";
    }
}
