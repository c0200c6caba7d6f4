package dev.tilewright.api.work;

import dev.tilewright.api.testing.SettableClock;
import dev.tilewright.api.work.LeaseRow.Ending;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The rules of the queue as they are, or with one of them broken. */
enum Faults {
    NONE,
    FENCE_UNCHECKED {
        @Override
        QueueRules rules() {
            return new QueueRules(SimulationRecord.LIFE) {
                @Override
                public Answer answer(LeaseRow lease, long fence) {
                    return super.answer(lease, lease.fence());
                }
            };
        }
    },
    LOST_LEASE_REPORTS {
        @Override
        QueueRules rules() {
            return new QueueRules(SimulationRecord.LIFE) {
                @Override
                public Answer answer(LeaseRow lease, long fence) {
                    Answer answer = super.answer(lease, fence);
                    return answer == Answer.LOST ? Answer.TAKE : answer;
                }
            };
        }
    },
    REPORT_COUNTS_TWICE {
        @Override
        QueueRules rules() {
            return new QueueRules(SimulationRecord.LIFE) {
                @Override
                public Answer answer(LeaseRow lease, long fence) {
                    Answer answer = super.answer(lease, fence);
                    return answer == Answer.KNOWN ? Answer.TAKE : answer;
                }
            };
        }
    },
    REFUSAL_OF_TWO_WORKERS {
        @Override
        QueueRules rules() {
            return new QueueRules(SimulationRecord.LIFE) {
                @Override
                public Refused refused(int times, int workers) {
                    return super.refused(times, workers + 1);
                }
            };
        }
    },
    EXPIRY_BY_THE_WALL_CLOCK {
        @Override
        Attention attention(SettableClock clock) {
            return new Attention(clock, clock) {
                @Override
                public synchronized boolean isWhole() {
                    return true;
                }
            };
        }
    },
    UNDELIVERED_IS_AN_ATTEMPT {
        @Override
        QueueRules rules() {
            return new QueueRules(SimulationRecord.LIFE) {
                @Override
                public Standing back(Standing leased, Ending how) {
                    return super.back(leased, how == Ending.UNDELIVERED ? Ending.EXPIRED : how);
                }
            };
        }
    },
    REFUSAL_IS_AN_ATTEMPT {
        @Override
        QueueRules rules() {
            return new QueueRules(SimulationRecord.LIFE) {
                @Override
                public Standing back(Standing leased, Ending how) {
                    return super.back(leased, how == Ending.REFUSED ? Ending.EXPIRED : how);
                }
            };
        }
    },
    NEVER_HOPELESS {
        @Override
        QueueRules rules() {
            return new QueueRules(SimulationRecord.LIFE) {
                @Override
                public boolean isHopeless(int lost) {
                    return false;
                }
            };
        }
    },
    HOPELESS_AFTER_TWO {
        @Override
        QueueRules rules() {
            return new QueueRules(SimulationRecord.LIFE) {
                @Override
                public boolean isHopeless(int lost) {
                    return super.isHopeless(lost + 1);
                }
            };
        }
    },
    HEARTBEAT_BEGINS_NOTHING {
        @Override
        QueueRules rules() {
            return new QueueRules(SimulationRecord.LIFE) {
                @Override
                public LeaseRow heard(LeaseRow live, Instant now) {
                    LeaseRow heard = super.heard(live, now);
                    return heard.lasting(heard.grantedAt(), heard.expiresAt(), live.begun());
                }
            };
        }
    },
    HEARTBEAT_EXTENDS_NOTHING {
        @Override
        QueueRules rules() {
            return new QueueRules(SimulationRecord.LIFE) {
                @Override
                public LeaseRow heard(LeaseRow live, Instant now) {
                    return live.lasting(live.grantedAt(), live.expiresAt(), true);
                }
            };
        }
    },
    FENCE_STANDS_STILL {
        @Override
        QueueRules rules() {
            return new QueueRules(SimulationRecord.LIFE) {
                @Override
                public Grant grant(Standing queued, UUID lease, UUID worker, String device, Instant now) {
                    Standing before = new Standing(
                            queued.work(), queued.state(), queued.attempts(), Math.max(0, queued.fence() - 1));
                    return super.grant(before, lease, worker, device, now);
                }
            };
        }
    },
    SILENCE_IS_FORGIVEN {
        @Override
        QueueRules rules() {
            return new QueueRules(SimulationRecord.LIFE) {
                @Override
                public Optional<LeaseRow> silent(LeaseRow live, Instant now) {
                    return live.begun() ? Optional.empty() : super.silent(live, now);
                }
            };
        }
    };

    QueueRules rules() {
        return new QueueRules(SimulationRecord.LIFE);
    }

    Attention attention(SettableClock clock) {
        return new Attention(clock, clock);
    }
}
