"""AWS: sessions, the guard, and the reads of STS, DataZone, SageMaker, EKS and S3. No botocore object is made outside `session.py`."""
