"""The AWS far end of the sandbox: `far_end.AwsFarEnd`. Nothing is imported here, so that names of faults stay cheap to list."""
