package dev.tilewright.worker.link.text;

import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/** A log in which each message is one line. */
public final class PlainFormatter extends SimpleFormatter {

    @Override
    public String formatMessage(LogRecord entry) {
        return PlainText.line(super.formatMessage(entry));
    }
}
