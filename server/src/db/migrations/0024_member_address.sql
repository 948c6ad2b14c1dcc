-- Addresses of members are stored in one normal form, which the program makes, and compared exactly. After
-- this statement the program brings those that are there into that form.
drop index member_email_key;
drop index member_address_idx;
