/**
 * Pages of jobs: the list with its progress, one job, the form that submits one. Comes in: jobs and a form. Goes out:
 * pages, and a job that was submitted or cancelled. Must not know how a study is carried out.
 */
@NullMarked
package dev.tilewright.api.web.job;

import org.jspecify.annotations.NullMarked;
